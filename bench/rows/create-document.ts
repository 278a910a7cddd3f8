import { startBareProgram } from '../bare/bare-program.ts'
import type { InsertSetup } from '../bare/insert-program.ts'
import { answerTo, type Call, type Target, textOf } from '../http/call.ts'
import { editor } from '../load/people.ts'
import { sentIn } from '../load/sent-in.ts'
import { inboxCount, inboxPath } from '../load/tree.ts'
import { answering, bareWorking, manyConnections } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

export const createAlone = creating('create-alone', 'POST a document, one connection', 1)
export const createTogether = creating('create-together', `POST a document, ${manyConnections} connections`, manyConnections, 0.5)

function creating(name: string, title: string, connections: number, leastShare?: number): RateRow {
  let created = 0
  const next = () => textOf(creation(`${name}-${created}`, inboxPath(created++ % inboxCount)))
  return {
    name,
    title,
    ...(leastShare !== undefined && { leastShare }),
    async prepare({ place: { database }, server }) {
      const templateName = `${name}-template`
      const templateIds = await createInEachInbox(server.target, templateName)
      const setup: InsertSetup = { database, together: connections, templateName, templateIds }
      const program = await startBareProgram(new URL('../bare/insert-program.ts', import.meta.url), setup)
      return { quire: answering(server, next, connections), bare: bareWorking(program) }
    },
  }
}

async function createInEachInbox(target: Target, name: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let inbox = 0; inbox < inboxCount; inbox++) {
    const { body } = await answerTo(creation(name, inboxPath(inbox)), target)
    const { uid } = JSON.parse(body) as { uid: string }
    ids.push(uid)
  }
  return ids
}

export function creation(name: string, folder: string): Call {
  const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties: sentIn(name) })
  return { method: 'POST', path: `/api/v1/path${folder}`, user: editor.name, body }
}
