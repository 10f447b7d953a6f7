import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    // Elements with this name are no components of Vue.
    vue({
      template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('tessera-') } },
    }),
  ],
})
