import { findTypeOfName } from '../../base/mime-types/mime-type.ts'
import { defineProblem } from '../../base/problem.ts'
import { type DocumentBlob, mainBlob } from '../../core/blobs/document-blobs.ts'
import type { ConversionTarget } from '../../core/conversion/conversions.ts'
import type { Session } from '../../core/session.ts'
import type { Download } from '../../rest/download/download-rule.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { Resource } from '../../rest/resource.ts'

export const targetMissing = defineProblem(
  'targetMissing',
  'invalid',
  (_: object) => 'Say what to convert to: give one of the parameters converter, type and format.',
)

export const severalTargets = defineProblem(
  'severalTargets',
  'invalid',
  (of: { given: readonly string[] }) =>
    `Give only one of the parameters converter, type and format, not ${of.given.join(' and ')}.`,
)

export const formatUnknown = defineProblem(
  'formatUnknown',
  'invalid',
  (of: { format: string }) => `No type of file has the extension ${of.format}. Give a format such as pdf, or the type itself.`,
)

const nothingToConvert = defineProblem(
  'nothingToConvert',
  'invalid',
  (_: object) => 'There is no file to convert: the document has none.',
)

/** What a call says about the result, in its query or in a form. */
export const targetFields = Type.Object({
  converter: Type.Text({ description: 'The name of the converter' }),
  type: Type.Text({ description: 'The type of the result: `application/pdf`' }),
  format: Type.Text({ description: 'The extension of the result: `pdf`' }),
})

const names = ['converter', 'type', 'format'] as const

type GivenTarget = { readonly [Name in (typeof names)[number]]?: string | undefined }

/** Exactly one of them is given; what is empty is not. @throws targetMissing, severalTargets, formatUnknown */
export function readTarget(fields: GivenTarget): ConversionTarget {
  const given = names.filter((name) => (fields[name] ?? '').trim() !== '')
  const [name, second] = given
  if (name === undefined) throw targetMissing({})
  if (second !== undefined) throw severalTargets({ given })
  const value = (fields[name] ?? '').trim()
  switch (name) {
    case 'converter':
      return { converter: value }
    case 'type':
      return { type: value }
    case 'format':
      return { type: typeOfFormat(value) }
  }
}

function typeOfFormat(format: string): string {
  const type = findTypeOfName(`file.${format.replace(/^\./, '')}`)
  if (type === undefined) throw formatUnknown({ format })
  return type
}

const ownParameters: ReadonlySet<string> = new Set([...names, 'async', 'inline', 'clientReason', 'changeToken'])

/** What is for the converter of what a query says: everything that is not for us. */
export function parametersIn(query: URLSearchParams): { readonly [name: string]: string } {
  return Object.fromEntries([...query].filter(([name]) => !ownParameters.has(name)))
}

/** What is converted: a file, or the main one of a document. @throws nothingToConvert */
export function readSource(session: Session, resource: Resource): Download {
  if (resource.kind === 'blob') return resource
  const main: DocumentBlob | undefined = resource.kind === 'document' ? mainBlob(session, resource.document) : undefined
  if (main === undefined || resource.kind !== 'document') throw nothingToConvert({})
  return { ...main, document: resource.document, reason: 'download' }
}
