import type { CarriedEntry } from '../../audit/index.ts'
import { readFields } from './line-fields.ts'

/** A row of the log as it stands in an archive. @throws archiveDamaged with the name and the number of the line */
export function readHistory(text: string, place: string): CarriedEntry {
  const line = readFields(text, place)
  const date = (name: string) => {
    const found = line.findDate(name)
    if (found === null) throw line.refuse(`${name} is missing`)
    return found
  }
  return {
    'entity-type': 'logEntry',
    category: line.findText('category'),
    principalName: line.findText('principalName'),
    comment: line.findText('comment'),
    docLifeCycle: line.findText('docLifeCycle'),
    docPath: line.findText('docPath'),
    docType: line.findText('docType'),
    docUUID: line.findText('docUUID'),
    eventId: line.text('eventId'),
    repositoryId: line.findText('repositoryId'),
    eventDate: date('eventDate'),
    logDate: date('logDate'),
    extended: line.object('extended'),
  }
}
