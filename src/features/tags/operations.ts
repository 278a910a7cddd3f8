import { defineOperation, type Operation } from '../../automation/operation.ts'
import { optional, required } from '../../automation/parameter.ts'
import { jsonBlob } from '../../automation/values/flowing-blob.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import type { WriteSession } from '../../core/session.ts'
import { suggestLabels } from './suggest-labels.ts'
import { addTags, labelsOf, removeAllTags, removeTags } from './tag-document.ts'
import type { LabelRules } from './tag-label.ts'

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
