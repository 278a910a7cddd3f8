import sql from 'sql-template-tag'
import { startBareProgram } from '../bare/bare-program.ts'
import type { AuditSetup } from '../bare/fill-audit-program.ts'
import { type Call, textOf } from '../http/call.ts'
import { editor } from '../load/people.ts'
import { idOf, inboxCount, inboxPath, someReadableFiles } from '../load/tree.ts'
import { createFile } from '../quire.config.ts'
import { answering, manyConnections } from './contenders.ts'
import type { RateRow } from './rate-row.ts'
import { searchRow } from './search-row.ts'

const [filesAsked, rowsEach, pageSize] = [20, 60, 50]

/** The log is as long as the repository is large: it has a row for each document, and those of the files that are asked about. */
const listAudit: RateRow = {
  name: 'list-audit',
  title: `@audit, page of ${pageSize} of ${rowsEach} rows`,
  async prepare(site) {
    const { database } = site.place
    const ids = [...new Set(someReadableFiles(site.files, filesAsked * 3))].slice(0, filesAsked).map((file) => idOf('file', file))
    const setup: AuditSetup = { database, ids, rowsEach }
    await (await startBareProgram(new URL('../bare/fill-audit-program.ts', import.meta.url), setup)).stop()
    return searchRow({
      name: this.name,
      title: this.title,
      remembersTotals: false,
      turns: () =>
        ids.map((id) => ({
          path: `/id/${id}/@audit?pageSize=${pageSize}`,
          statements: [
            sql`SELECT id FROM audit_entries WHERE doc_uuid = ${id} ORDER BY event_date DESC, id DESC LIMIT ${pageSize}`,
          ],
          count: sql`SELECT count(*) FROM audit_entries WHERE doc_uuid = ${id}`,
        })),
    }).prepare(site)
  },
}

/** What the row in the log costs: the same documents by the same operation, which leaves it out. */
const createAudited: RateRow = {
  name: 'create-audited',
  title: `create a document, ${manyConnections} connections, beside one that is not audited`,
  leastShare: 0.9,
  async prepare({ server }) {
    const creating = (audited: boolean) => {
      let created = 0
      return () => textOf(creation(`audited-${audited}-${created}`, inboxPath(created++ % inboxCount), audited))
    }
    return { quire: answering(server, creating(true)), bare: answering(server, creating(false)) }
  },
}

function creation(name: string, folder: string, audited: boolean): Call {
  const body = JSON.stringify({ input: folder, params: { name, audited } })
  return { method: 'POST', path: `/api/v1/automation/${createFile.id}`, user: editor.name, body }
}

export const auditRows: readonly RateRow[] = [listAudit]
export const writingAuditRows: readonly RateRow[] = [createAudited]
