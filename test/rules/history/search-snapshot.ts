import type { Repository } from '../../../src/core/session.ts'
import type { Document, DocumentId } from '../../../src/model/document.ts'
import { tokenise } from '../../../src/nxql/fulltext/fulltext-tokens.ts'
import type { Snapshot } from './snapshot.ts'

/** Something to ask for, and who has it. */
interface Question {
  readonly condition: string
  isAbout(document: Document): boolean
}

/** Documents that queries do not find by what they hold, or find by what they do not, as sentences. */
export async function findMisfound(repository: Repository, { documents, versions }: Snapshot): Promise<readonly string[]> {
  const all = [...documents, ...[...versions.values()].flat()]
  const found: string[] = []
  for (const { condition, isAbout } of questionsAbout(all)) {
    const ids = await findIds(repository, condition)
    for (const document of all) {
      if (ids.has(document.id) === isAbout(document)) continue
      found.push(`${document.path ?? document.id} is ${ids.has(document.id) ? '' : 'not '}found by ${condition}`)
    }
  }
  return found
}

function questionsAbout(documents: readonly Document[]): readonly Question[] {
  const titles = new Set(documents.map((document) => titleWords(document).join(' ')))
  titles.delete('')
  const contributors = new Set(documents.flatMap((document) => contributorsOf(document)))
  return [
    ...[...titles].map((title) => ({
      condition: `ecm:fulltext_title = '"${title}"'`,
      isAbout: (document: Document) => ` ${titleWords(document).join(' ')} `.includes(` ${title} `),
    })),
    ...[...contributors].map((contributor) => ({
      condition: `dc:contributors = '${contributor}'`,
      isAbout: (document: Document) => contributorsOf(document).includes(contributor),
    })),
  ]
}

function titleWords({ properties }: Document): readonly string[] {
  const title = properties['dc:title']
  return typeof title === 'string' ? tokenise(title) : []
}

function contributorsOf({ properties }: Document): readonly string[] {
  const contributors = properties['dc:contributors']
  return Array.isArray(contributors) ? contributors.map(String) : []
}

async function findIds({ store, queries, now }: Repository, condition: string): Promise<ReadonlySet<DocumentId>> {
  const query = queries(`SELECT * FROM Document WHERE ${condition}`)
  return new Set(await store.reader.search.listIds(query, { now: now() }, { offset: 0 }))
}
