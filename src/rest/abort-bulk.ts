import { abortBulk, type BulkStatus, sessionOfBulk } from '../core/bulk/bulk-commands.ts'
import { transact } from '../core/open-session.ts'
import type { Exchange } from './request/exchange.ts'

/** Gives a bulk command up, in whichever repository it is. @throws bulkCommandNotFound */
export async function abortAnywhere(exchange: Exchange, id: string): Promise<BulkStatus> {
  const { repository } = await exchange.read((session) => sessionOfBulk(session, exchange.services.repositories, id))
  return transact(repository, exchange.principal, (session) => abortBulk(session, id))
}
