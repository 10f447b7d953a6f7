import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { ownServer } from '../server.js'

export default defineConfig({
  // The three pages share a style sheet.
  publicDir: '../html',
  plugins: [
    // Elements with this prefix are not Vue components.
    vue({
      template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('tessera-') } },
    }),
    ownServer(),
  ],
})
