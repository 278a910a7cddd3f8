import { evaluateCondition } from '../../automation/expressions/evaluate-condition.ts'
import { defineOperation } from '../../automation/operation.ts'
import { optional } from '../../automation/parameter.ts'
import { splitList } from '../../automation/values/split-list.ts'
import { defineProblem } from '../../base/problem.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { Document } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { isImmutable, isReportedWith } from '../../model/versioning.ts'

const classes: { readonly [name: string]: (document: Document) => boolean } = {
  Any: () => true,
  'Regular Document': ({ isVersion, isProxy }) => !isVersion && !isProxy,
  'Document Link': (document) => document.isProxy && !isImmutable(document),
  'Published Document': (document) => document.isProxy && isImmutable(document),
  'Document Proxy': ({ isProxy }) => isProxy,
  'Document Version': ({ isVersion }) => isVersion,
  'Immutable Document': isImmutable,
  'Mutable Document': (document) => !isImmutable(document),
}

export const unknownClass = defineProblem(
  'unknownClass',
  'invalid',
  (of: { name: string }) => `There is no class '${of.name}'. It is one of ${Object.keys(classes).join(', ')}.`,
)

interface Criteria {
  readonly types?: string | undefined
  readonly facet?: string | undefined
  readonly lifecycle?: string | undefined
  readonly pathStartsWith?: string | undefined
  readonly class?: string | undefined
}

export const filterDocuments = defineOperation({
  id: 'Document.Filter',
  category: 'Document',
  description: 'Keeps the documents that meet all conditions.',
  effect: 'reads',
  params: {
    types: optional('string', { description: 'Document types, with commas between them' }),
    facet: optional('string'),
    lifecycle: optional('string', { description: 'A lifecycle state' }),
    pathStartsWith: optional('string', { description: 'What the text of the path begins with' }),
    condition: optional('string', { description: 'An expression about Document, such as Document.title == "A"' }),
    class: optional('string', { values: Object.keys(classes), widget: 'Option' }),
  },
  run: ({ each }) => [
    each('document', 'documents', async (document, { session, context, params: { condition, ...criteria } }) => {
      if (!meets(session.model, document, criteria)) return []
      const isMatch = condition === undefined || (await evaluateCondition(context, document, condition))
      return isMatch ? [document] : []
    }),
  ],
})

function meets(model: Model, document: Document, { types, facet, lifecycle, pathStartsWith, class: named }: Criteria): boolean {
  return (
    (types === undefined || splitList(types).includes(document.type)) &&
    (facet === undefined || isReportedWith(document, shapeSeen(model, document), facet)) &&
    (lifecycle === undefined || document.state === lifecycle) &&
    (pathStartsWith === undefined || (document.path ?? '').startsWith(pathStartsWith)) &&
    (named === undefined || isOfClass(document, named))
  )
}

/** @throws unknownClass */
function isOfClass(document: Document, name: string): boolean {
  const is = Object.hasOwn(classes, name) ? classes[name] : undefined
  if (is === undefined) throw unknownClass({ name })
  return is(document)
}
