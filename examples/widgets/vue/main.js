import '@tessera/widgets'
import { createApp } from 'vue'
import Shop from './shop.vue'

const session = await (await fetch('/session')).json()
createApp(Shop, { session }).mount('#app')
