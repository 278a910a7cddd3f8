import { startBareProgram } from '../bare/bare-program.ts'
import type { CheckInSetup } from '../bare/check-in-program.ts'
import { type Call, textOf } from '../http/call.ts'
import { editor } from '../load/people.ts'
import { idOf, someReadableFiles } from '../load/tree.ts'
import { answering, bareWorking, manyConnections } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

// As many as are checked in a few times each: a document with thousands of versions is not what people have.
const filesCheckedIn = 5_000

export const checkIn: RateRow = {
  name: 'check-in',
  title: `PUT and check in, ${manyConnections} connections`,
  async prepare({ files, place: { database }, server }) {
    const ids = [...new Set(someReadableFiles(files, filesCheckedIn * 3))].map((file) => idOf('file', file))
    const ours = ids.slice(0, ids.length / 2)
    const setup: CheckInSetup = { database, together: manyConnections, ids: ids.slice(ours.length) }
    let turn = 0
    const next = () => textOf(checkingIn(ours[turn++ % ours.length] as string, `scanner ${turn}`))
    const program = await startBareProgram(new URL('../bare/check-in-program.ts', import.meta.url), setup)
    return { quire: answering(server, next), bare: bareWorking(program) }
  },
}

function checkingIn(id: string, source: string): Call {
  const body = JSON.stringify({ 'entity-type': 'document', properties: { 'dc:source': source } })
  return { method: 'PUT', path: `/api/v1/id/${id}`, user: editor.name, body, headers: { 'X-Versioning-Option': 'MINOR' } }
}
