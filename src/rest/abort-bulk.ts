import { accessTo } from '../core/access.ts'
import { abortBulk, type BulkStatus, sessionOfBulk } from '../core/bulk/bulk-commands.ts'
import type { Exchange } from './request/exchange.ts'

/** Gives a bulk command up, in whichever repository it is. @throws bulkCommandNotFound */
export async function abortAnywhere(exchange: Exchange, id: string): Promise<BulkStatus> {
  const { repository } = await exchange.read((session) => sessionOfBulk(session, exchange.services.repositories, id))
  return accessTo(repository, exchange.principal).write((session) => abortBulk(session, id))
}
