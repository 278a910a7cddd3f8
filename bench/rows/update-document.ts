import { startBareProgram } from '../bare/bare-program.ts'
import type { UpdateSetup } from '../bare/update-program.ts'
import { type Call, textOf } from '../http/call.ts'
import { editor } from '../load/people.ts'
import { idOf, someReadableFiles } from '../load/tree.ts'
import { answering, bareWorking, manyConnections } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

// Few enough that the warm-up meets them all: the first save by another person than the last one may make a version.
const filesUpdated = 500

export const updateDocument: RateRow = {
  name: 'update',
  title: `PUT one property, ${manyConnections} connections`,
  async prepare({ files, place: { database }, server }) {
    const ids = [...new Set(someReadableFiles(files, filesUpdated * 3))]
      .slice(0, filesUpdated * 2)
      .map((file) => idOf('file', file))
    const ours = ids.slice(0, ids.length / 2)
    const setup: UpdateSetup = { database, together: manyConnections, ids: ids.slice(ours.length) }
    let turn = 0
    const next = () => textOf(update(ours[turn++ % ours.length] as string, `scanner ${turn}`))
    const program = await startBareProgram(new URL('../bare/update-program.ts', import.meta.url), setup)
    return { quire: answering(server, next), bare: bareWorking(program) }
  },
}

function update(id: string, source: string): Call {
  const body = JSON.stringify({ 'entity-type': 'document', properties: { 'dc:source': source } })
  return { method: 'PUT', path: `/api/v1/id/${id}`, user: editor.name, body }
}
