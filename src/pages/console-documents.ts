/** The operations of the console. `npm run generate` writes them, because the browser knows only their ids. */
import documents from '../generated/console-documents.json' with { type: 'json' }

export const consoleDocuments = Object.values<string>(documents)
