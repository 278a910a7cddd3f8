import type { BulkAction } from '../core/bulk/bulk-action.ts'
import type { JobHandler } from '../core/jobs/worker.ts'
import type { Services } from './services.ts'

/**
 * Jobs and bulk actions that need more of the server than the repository they work in. They are made at start, when the services
 * are there but not all complete: what these hold is looked at when the work runs.
 * @example
 * const chaseInvoices: BackgroundWork = {
 *   name: 'chaseInvoices',
 *   createJobs: ({ principals }) => [{ kind: 'chaseInvoice', run: async (payload) => void (await principals.find(String(payload))) }],
 * }
 */
export interface BackgroundWork {
  readonly name: string
  createJobs?(services: Services): readonly JobHandler[]
  createBulkActions?(services: Services): readonly BulkAction[]
}
