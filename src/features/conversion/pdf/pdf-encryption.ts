import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation, type MethodBuilders, type Operation, type OperationMethod } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { ConversionParameters } from '../../../core/conversion/converter.ts'
import type { Session } from '../../../core/session.ts'
import { fileAt } from '../converted-file.ts'
import { editedPdf, given, givenAmong } from './edited-pdf.ts'
import { keyLengths, pdfPermissions } from './pdf-edit.ts'

export const passwordNeeded = defineProblem(
  'passwordNeeded',
  'invalid',
  (of: { parameter: string }) => `Give the parameter ${of.parameter}: what would everybody open without one is not protected.`,
)

const xpath = defaulted('string', 'file:content', { description: 'The place of the file in the document' })
const keyLength = defaulted('string', '128', { values: keyLengths, widget: 'Option', description: 'Bits of the key' })

/** For files and for documents, one and many: what is told to the converter follows from the parameters. */
function methodsFor<Values extends { readonly xpath: string }>(
  { on }: MethodBuilders<Values, Session>,
  tell: (params: Values) => ConversionParameters,
): readonly OperationMethod[] {
  const edit = (context: OperationContext, file: FlowingBlob, params: Values) => editedPdf(context, file, tell(params))
  const each = async <Item>(items: readonly Item[], one: (item: Item) => Promise<FlowingBlob>) => {
    const files: FlowingBlob[] = []
    for (const item of items) files.push(await one(item))
    return files
  }
  return [
    on('blob', 'blob', (file, { context, params }) => edit(context, file, params)),
    on('bloblist', 'bloblist', (files, { context, params }) => each(files, (file) => edit(context, file, params))),
    on('document', 'blob', async (document, { context, params }) =>
      edit(context, await fileAt(context, document, params.xpath), params),
    ),
    on('documents', 'bloblist', (documents, { context, params }) =>
      each(documents, async (document) => edit(context, await fileAt(context, document, params.xpath), params)),
    ),
  ]
}

export const encrypt: Operation = defineOperation({
  id: 'PDF.Encrypt',
  category: 'Conversion',
  description: 'Gives the PDF encrypted: without the password of its owner no more can be done to it than is permitted.',
  effect: 'waits',
  params: {
    originalOwnerPwd: required('string', { description: 'What opens the file now; empty where nothing is needed' }),
    ownerPwd: required('string', { description: 'The password of its owner' }),
    userPwd: required('string', { description: 'What it is opened with; empty for everybody' }),
    keyLength,
    xpath,
    permissions: optional('properties', { description: `Each true or false: ${pdfPermissions.join(', ')}; true when absent` }),
  },
  run: (builders) =>
    methodsFor(builders, ({ originalOwnerPwd: password, ownerPwd, userPwd, keyLength: bits, permissions }) => {
      if (ownerPwd === '') throw passwordNeeded({ parameter: 'ownerPwd' })
      const permitted = givenAmong(permissions, pdfPermissions)
      return { edit: 'encrypt', ...permitted, ...given({ password, ownerPwd, userPwd, keyLength: bits }) }
    }),
})

/** What reading takes, and printing. */
const readOnly: ConversionParameters = Object.fromEntries(
  pdfPermissions.map((name) => [name, String(['print', 'printDegraded', 'extractForAccessibility'].includes(name))]),
)

export const encryptReadOnly: Operation = defineOperation({
  id: 'PDF.EncryptReadOnly',
  category: 'Conversion',
  description: 'Gives the PDF encrypted so that it can be read and printed, and nothing else.',
  effect: 'waits',
  params: {
    originalOwnerPwd: optional('string', { description: 'What opens the file now' }),
    ownerPwd: optional('string', {
      description: 'What lifts the restriction; nothing does when this and the original are absent',
    }),
    userPwd: optional('string', { description: 'What it is opened with; everybody can when it is absent' }),
    keyLength,
    xpath,
  },
  run: (builders) =>
    methodsFor(builders, ({ originalOwnerPwd: password, ownerPwd, userPwd, keyLength: bits }) => ({
      edit: 'encrypt',
      ...readOnly,
      ...given({ password, ownerPwd: ownerPwd || password, userPwd, keyLength: bits }),
    })),
})

export const removeEncryption: Operation = defineOperation({
  id: 'PDF.RemoveEncryption',
  category: 'Conversion',
  description: 'Gives the PDF without its encryption.',
  effect: 'waits',
  params: { ownerPwd: optional('string', { description: 'The password of its owner' }), xpath },
  run: (builders) => methodsFor(builders, ({ ownerPwd: password }) => ({ edit: 'decrypt', ...given({ password }) })),
})
