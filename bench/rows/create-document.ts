import { startBareProgram } from '../bare/bare-program.ts'
import type { InsertSetup } from '../bare/insert-program.ts'
import { answerTo, type Call, type Target, textOf, type WholeAnswer } from '../http/call.ts'
import { editor } from '../load/people.ts'
import { sentIn } from '../load/sent-in.ts'
import { inboxCount, inboxPath } from '../load/tree.ts'
import { answering, bareAnswering, bareWorking, manyConnections } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

interface CreateRow extends Omit<RateRow, 'prepare'> {
  readonly connections: number
  /** Whether the bare program works without HTTP. */
  readonly inLoop: boolean
}

const together = { title: `POST a document, ${manyConnections} connections`, connections: manyConnections }
export const createTogether = creating({ ...together, name: 'create-together', inLoop: false, leastShare: 0.5 })
export const createAgainstLoop = creating({
  ...together,
  name: 'create-together-loop',
  title: `${together.title}; bare: no HTTP`,
  inLoop: true,
})
export const createAlone = creating({
  name: 'create-alone',
  title: 'POST a document, one connection',
  connections: 1,
  inLoop: true,
})

function creating({ connections, inLoop, ...row }: CreateRow): RateRow {
  const { name } = row
  let created = 0
  const next = () => textOf(creation(`${name}-${created}`, inboxPath(created++ % inboxCount)))
  return {
    ...row,
    async prepare({ place: { database }, server }) {
      const templateName = `${name}-template`
      const [answer, ...others] = await createInEachInbox(server.target, templateName)
      const setup: InsertSetup = {
        database,
        together: connections,
        templateName,
        answer,
        templateIds: [answer, ...others].map(idIn),
      }
      const program = await startBareProgram(new URL('../bare/insert-program.ts', import.meta.url), setup)
      return {
        quire: answering(server, next, connections),
        bare: inLoop ? bareWorking(program) : bareAnswering(program, next, connections),
      }
    },
  }
}

async function createInEachInbox(target: Target, name: string): Promise<readonly [WholeAnswer, ...WholeAnswer[]]> {
  const createIn = (inbox: number) => answerTo(creation(name, inboxPath(inbox)), target)
  const answers: [WholeAnswer, ...WholeAnswer[]] = [await createIn(0)]
  for (let inbox = 1; inbox < inboxCount; inbox++) answers.push(await createIn(inbox))
  return answers
}

function idIn({ body }: WholeAnswer): string {
  return (JSON.parse(body) as { uid: string }).uid
}

export function creation(name: string, folder: string): Call {
  const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties: sentIn(name) })
  return { method: 'POST', path: `/api/v1/path${folder}`, user: editor.name, body }
}
