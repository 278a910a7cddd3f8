import type { QuireConfig } from 'quire'
import contracts from './plugins/contracts.ts'
import contractsConsole from './plugins/contracts-console.ts'

// npx quire serve --help lists all settings; a flag or a variable counts more than what is written here.
export default {
  settings: { port: 8080, data: './data' },
  plugins: [contracts, contractsConsole],
} satisfies QuireConfig
