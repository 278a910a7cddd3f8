import type { QuireConfig } from 'quire'
import invoices from './invoices.ts'

export default {
  plugins: [invoices],
} satisfies QuireConfig
