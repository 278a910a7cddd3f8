import type { QuireConfig } from 'quire'
import receipts from './receipts.ts'

export default {
  settings: { receiptPrefix: 'Q' },
  plugins: [receipts],
} satisfies QuireConfig
