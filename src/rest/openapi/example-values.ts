import type { Method } from '../route.ts'

/** What the example of a creation makes: what is pasted to change or remove a document meets nothing that was there before. */
export const exampleDocument = '/default-domain/workspaces/report'

/** By the name of the blank in a path, or where that does not tell enough with the segment before it. All are there on a new server. */
const pathExamples: ReadonlyMap<string, string> = new Map([
  ['docPath', 'default-domain/workspaces'],
  ['xpath', 'file:content'],
  ['userId', 'Administrator'],
  ['groupId', 'members'],
  ['operationId', 'Document.GetChildren'],
  ['automation/id', 'Document.GetChildren'],
  ['providerName', 'default_search'],
  ['@pp/providerName', 'tree_children'],
  ['queryLanguage', 'NXQL'],
  ['directory', 'continent'],
  ['icons/name', 'pdf.png'],
  ['probes/name', 'repositoryStatus'],
  ['types/name', 'File'],
  ['docType/name', 'File'],
  ['schemas/name', 'dublincore'],
  ['schema/name', 'dublincore'],
  ['facets/name', 'Folderish'],
  ['facet/name', 'Folderish'],
  ['handlers/name', 'default'],
  ['handler', 'default'],
  ['fileIdx', '0'],
  ['repository', 'default'],
  ['project', 'acme-ops'],
  ['region', 'us-east1'],
])

/** None for what would be changed or removed, but for the document that is there to be played with. */
export function findPathExample(method: Method, segment: string, name: string): string | undefined {
  if (method === 'GET' || method === 'POST') return pathExamples.get(`${segment}/${name}`) ?? pathExamples.get(name)
  return name === 'docPath' ? exampleDocument.slice(1) : undefined
}
