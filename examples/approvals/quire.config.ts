import type { QuireConfig } from 'quire'
import approvals from './approvals.ts'

export default {
  plugins: [approvals],
} satisfies QuireConfig
