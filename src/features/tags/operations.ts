import { defineOperation, type Operation } from '../../automation/operation.ts'
import { optional, required } from '../../automation/parameter.ts'
import { jsonBlob } from '../../automation/values/flowing-blob.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { scopeOf } from '../../core/search/page/run-query.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { listName } from '../../nxql/document-indexing.ts'
import { matchesLike, parseLike } from '../../nxql/like-pattern.ts'
import { addTags, labelsOf, removeAllTags, removeTags } from './tag-document.ts'
import { cleanTerm, type LabelRules } from './tag-label.ts'
import { tagsProperty } from './tag-model.ts'

const category = 'Services'
const tags = required('stringlist', { description: 'Separated by commas, or as a list' })

type ChangeTags = (session: WriteSession, id: string, tags: readonly string[]) => Promise<void>

/** An operation that changes tags of its input, and gives that as it is then. */
function onTagged(id: string, description: string, change: ChangeTags): Operation {
  return defineOperation({
    id,
    category,
    description,
    effect: 'writes',
    params: { tags },
    run: ({ each }) => [
      each('document', 'document', async (document, { session, params }) => {
        await change(session, document.id, params.tags)
        return readDocument(session, document.id)
      }),
    ],
  })
}

const removeDocumentTags = defineOperation({
  id: 'Services.RemoveDocumentTags',
  category,
  description: 'Removes all tags of the document, for callers who may write it.',
  effect: 'writes',
  params: {},
  run: ({ each }) => [
    each('document', 'document', async ({ id }, { session }) => {
      await removeAllTags(session, id)
      return readDocument(session, id)
    }),
  ],
})

const suggestion = (rules: LabelRules) =>
  defineOperation({
    id: 'Tag.Suggestion',
    category,
    description:
      'Gives up to ten tags that begin like the term, of documents that the caller can read; or those of one document.',
    effect: 'reads',
    params: {
      searchTerm: optional('string', { description: 'The beginning of a tag; a % stands for any letters' }),
      value: optional('string', { description: 'Whatever it is, the tags of the document are given instead' }),
      document: optional('document', { description: 'Whose tags are given' }),
      xpath: optional('string', { description: 'Not used' }),
    },
    run: ({ on }) => [
      on('void', 'blob', async (_, { session, params: { searchTerm = '', value, document } }) => {
        if (value !== undefined) return document && jsonBlob(labelsOf(document).map(suggested))
        return jsonBlob((await suggestLabels(session, searchTerm, rules)).map(suggested))
      }),
    ],
  })

const maxSuggested = 10
// With a % inside the term most of what begins like it may be something else.
const lookedAtOnce = 200

/**
 * Tags that begin like the term, in order, of documents that the caller can see: whatever else there is of tags would tell of what is hidden.
 */
async function suggestLabels(session: Session, searchTerm: string, rules: LabelRules): Promise<readonly string[]> {
  const term = cleanTerm(searchTerm, rules)
  if (term.trim() === '') return []
  const [prefix = '', ...more] = term.split('%')
  const pattern = parseLike(`${term.replaceAll(/[\\_]/g, '\\$&')}%`, { ignoresCase: false })
  const scope = await scopeOf(session, { bindings: [] })
  const found: string[] = []
  const limit = more.length === 0 ? maxSuggested : lookedAtOnce
  for (let after: string | undefined; ; ) {
    const window = { name: listName(tagsProperty, 'label'), prefix, limit, ...(after !== undefined && { after }) }
    const labels = await session.reader.search.listItems(window, scope)
    found.push(...labels.filter((label) => matchesLike(pattern, label)))
    if (labels.length < limit || found.length >= maxSuggested) return found.slice(0, maxSuggested)
    after = labels.at(-1)
  }
}

function suggested(label: string) {
  return { id: label, displayLabel: label }
}

export function tagOperations(rules: LabelRules): readonly Operation[] {
  return [
    onTagged(
      'Services.TagDocument',
      'Adds tags to the document, for whoever can read it. They are stored in lower case, without spaces and signs of queries.',
      (session, id, sent) => addTags(session, id, sent, rules),
    ),
    onTagged(
      'Services.UntagDocument',
      'Removes tags of the document that the caller added, or any for callers who may write it.',
      (session, id, sent) => removeTags(session, id, sent, rules),
    ),
    removeDocumentTags,
    suggestion(rules),
  ]
}
