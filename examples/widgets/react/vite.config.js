import { defineConfig } from 'vite'
import { ownServer } from '../server.js'

// The three pages share a style sheet.
export default defineConfig({ publicDir: '../html', plugins: [ownServer()] })
