import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { applyChanges } from '../../automation/unsaved-changes.ts'
import { defineProblem } from '../../base/problem.ts'
import { ensureCheckedIn } from '../../core/documents/versions/check-in.ts'
import { checkOutDocument } from '../../core/documents/versions/check-out.ts'
import { everyVersion, findLastVersion } from '../../core/documents/versions/list-versions.ts'
import { restoreVersion } from '../../core/documents/versions/restore-version.ts'
import { readWorkingCopy } from '../../core/documents/versions/working-copy.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { VersioningOption } from '../../model/versioning.ts'

export const notVersionable = defineProblem(
  'notVersionable',
  'invalid',
  (of: { id: string; type: string }) => `${of.id} is a ${of.type}, of which no versions are made`,
)

export const notAVersion = defineProblem(
  'notAVersion',
  'invalid',
  (of: { id: string }) => `${of.id} is not a version. Give the version that is to be restored.`,
)

export const unknownIncrement = defineProblem(
  'unknownIncrement',
  'invalid',
  (of: { given: string }) => `The increment is None, Minor or Major, not ${of.given}.`,
)

export const checkIn = defineOperation({
  id: 'Document.CheckIn',
  category: 'Document',
  description: 'Makes a version of the document, unless nothing changed since the last one.',
  effect: 'writes',
  params: {
    version: required('string', { values: ['minor', 'major'], widget: 'Option' }),
    comment: optional('string'),
    versionVarName: optional('string', { description: 'The variable that is to hold the version' }),
  },
  run: ({ each }) => [
    each('document', 'document', async (document, { session, context, params }) => {
      requireVersionable(session, document)
      const { id } = document
      const option = params.version.toLowerCase() === 'major' ? 'major' : 'minor'
      const { live, version } = await ensureCheckedIn(session, id, option, params.comment)
      const variable = params.versionVarName
      if (variable && version !== undefined) context.variables.set(variable, { kind: 'document', document: version })
      return live
    }),
  ],
})

export const checkOut = defineOperation({
  id: 'Document.CheckOut',
  category: 'Document',
  description: 'Checks the document out.',
  effect: 'writes',
  params: {},
  run: ({ each }) => [each('document', 'document', ({ id }, { session }) => checkOutDocument(session, id))],
})

export const createVersion = defineOperation({
  id: 'Document.CreateVersion',
  category: 'Document',
  description: 'Saves the document and makes a version of it.',
  effect: 'writes',
  params: {
    increment: defaulted('string', 'None', {
      values: ['None', 'Minor', 'Major'],
      widget: 'Option',
      description: 'None: as saving it usually does',
    }),
    saveDocument: defaulted('boolean', true, { description: 'False: the version is made when a later step saves the document' }),
  },
  run: ({ each }) => [
    each('document', 'document', (document, { session, context, params }) => {
      requireVersionable(session, document)
      const versioning = parseIncrement(params.increment)
      const options = { save: params.saveDocument, ...(versioning !== undefined && { versioning }) }
      return applyChanges(context, document, {}, options)
    }),
  ],
})

export const getVersions = defineOperation({
  id: 'Document.GetVersions',
  category: 'Document',
  description: 'Gives all versions of the document, oldest first.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('document', 'documents', ({ id }, { session, context }) => context.budget.gather(everyVersion(session, id))),
  ],
})

export const getLastVersion = defineOperation({
  id: 'Document.GetLastVersion',
  category: 'Document',
  description: 'Gives the newest version of the document.',
  effect: 'reads',
  params: {},
  run: ({ each }) => [each('document', 'document', ({ id }, { session }) => findLastVersion(session, id))],
})

export const restore = defineOperation({
  id: 'Document.RestoreVersion',
  category: 'Document',
  description: 'Makes the document again what it was in the version that is the input.',
  effect: 'writes',
  params: {
    createVersion: defaulted('boolean', false, { description: 'Keeps what is overwritten as a version' }),
    checkout: defaulted('boolean', false, { description: 'Checks the document out afterwards' }),
  },
  run: ({ on }) => [
    on('document', 'document', async ({ id, isVersion }, { session, params }) => {
      if (!isVersion) throw notAVersion({ id })
      const live = await readWorkingCopy(session, id)
      return restoreVersion(session, live.id, id, { skipSnapshot: !params.createVersion, checkOut: params.checkout })
    }),
  ],
})

export const getSourceDocument = defineOperation({
  id: 'Proxy.GetSourceDocument',
  aliases: ['GetLiveDocument'],
  category: 'Document',
  description: 'Gives the live document behind a version or a proxy.',
  effect: 'reads',
  params: {},
  run: ({ each }) => [each('document', 'document', ({ id }, { session }) => readWorkingCopy(session, id))],
})

/** @throws notVersionable */
function requireVersionable({ model }: Session, document: Document): void {
  if (!model.shapeOf(document).hasFacet('Versionable')) throw notVersionable(document)
}

const increments: { readonly [name: string]: VersioningOption | undefined } = { none: undefined, minor: 'minor', major: 'major' }

/** @throws unknownIncrement */
function parseIncrement(given: string): VersioningOption | undefined {
  const name = given.toLowerCase()
  if (!Object.hasOwn(increments, name)) throw unknownIncrement({ given })
  return increments[name]
}
