import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    // Elements with this prefix are not Vue components.
    vue({
      template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('tessera-') } },
    }),
  ],
})
