import type { QuireConfig } from 'quire'
import holidays from './holidays.ts'

export default {
  plugins: [holidays],
} satisfies QuireConfig
