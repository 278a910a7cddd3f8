import type { OperationMethod } from '../../automation/operation.ts'
import type { ValueOf } from '../../automation/values/value.ts'
import type { OutputWord } from '../../automation/values/words.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { type Answers, bytesAnswer, eitherAnswer, type Success } from '../openapi/answers.ts'
import { openEntitySchema } from '../openapi/resource-answers.ts'
import { type Schema, type Static, Type } from '../openapi/schema.ts'
import { bulkStatusSchema } from './bulk-status-entity.ts'
import { documentSchema } from './document-entity.ts'
import { documentListSchema, documentPageSchema } from './documents-entity.ts'
import { invalidAnswer } from './exception-entity.ts'
import { recordSetSchema } from './record-set-entity.ts'

export const stringValueSchema = valueSchema('string', Type.String(), 'StringValue')
const booleanSchema = valueSchema('boolean', Type.Boolean(), 'BooleanValue')
const numberSchema = valueSchema('number', Type.Number(), 'NumberValue')
const dateSchema = valueSchema('date', Type.Moment(), 'DateValue')
const listSchema = valueSchema('list', Type.Array(Type.Unknown()), 'ListValue')
const mapSchema = valueSchema('map', Type.Record(Type.Unknown()), 'MapValue')
// Clients read `value`, where the entity stands once more (spec: operations 1.7).
export const bulkStatusValueSchema = valueSchema('bulkStatus', bulkStatusSchema, 'BulkStatusValue')

const businessObjectSchema = Type.Object(
  { 'entity-type': Type.String({ description: 'The name of the adapter' }), value: Type.Unknown() },
  { $id: 'BusinessObject' },
)

/** A value with its type. */
function valueSchema<const Name extends string, Given extends Schema>(name: Name, value: Given, $id: string) {
  return Type.Object({ 'entity-type': Type.Literal(name), value }, { $id })
}

type Scalar = ValueOf<'string' | 'boolean' | 'number' | 'date'>
type ScalarEntity =
  | Static<typeof stringValueSchema>
  | Static<typeof booleanSchema>
  | (Omit<Static<typeof numberSchema>, 'value'> & { readonly value: number | bigint })
  | Static<typeof dateSchema>

/** What an operation gave that is a word, a number or a date. */
export function writeScalar(value: Scalar): ScalarEntity {
  switch (value.kind) {
    case 'string':
      return { 'entity-type': 'string', value: value.text }
    case 'boolean':
      return { 'entity-type': 'boolean', value: value.isTrue }
    case 'number':
      return { 'entity-type': 'number', value: value.number }
    case 'date':
      return { 'entity-type': 'date', value: value.date }
  }
}

const documentsAnswers = [documentPageSchema, documentListSchema]

/** By the word for what a method gives. An answer in `[]` has nothing to show. */
const answersByWord: { readonly [Word in OutputWord]: readonly Success[] } = {
  void: [],
  document: [documentSchema],
  documents: documentsAnswers,
  paginable: [documentPageSchema],
  blob: [bytesAnswer('The file')],
  bloblist: [bytesAnswer('The files, one behind the other', 'multipart/mixed')],
  string: [stringValueSchema],
  boolean: [booleanSchema],
  long: [numberSchema],
  integer: [numberSchema],
  date: [dateSchema],
  list: [listSchema, ...documentsAnswers],
  map: [mapSchema],
  recordset: [recordSetSchema],
  bulkstatus: [bulkStatusValueSchema],
  businessadapter: [businessObjectSchema],
  object: [openEntitySchema],
}

/** Any operation, or a chain of them. */
export const answerOfAnyCall = eitherAnswer(
  'What the operation gives: an entity, a value with its type, a file, or several files as multipart/mixed',
  [...new Set([...Object.values(answersByWord).flat(), openEntitySchema])],
)

/** For values of properties that are not valid, a report. */
export const invalidCall = invalidAnswer('a parameter is missing or not valid, or the operation cannot work on such an input')

type Method = Pick<OperationMethod, 'input' | 'output' | 'isItemwise'>

/** What a call of an operation is answered with, by its methods. */
export function answersOfMethods(methods: readonly Method[], vendored: VendorIdentifiers): Answers {
  const words = [...new Set(methods.flatMap(outputsOf))]
  const given = words.flatMap((word) => answersByWord[word])
  const description = words
    .filter((word) => word !== 'void')
    .map(vendored)
    .join(', or ')
  return {
    ...(given.length > 0 && { 200: eitherAnswer(description, given) }),
    204: 'nothing to give, or nothing wanted (`X-NXVoidOperation: true`)',
    400: invalidCall,
  }
}

/** For each item of a list, what they give together is a list, too. What looks at no input and gives nothing passes it on. */
function outputsOf({ input, output, isItemwise }: Method): readonly OutputWord[] {
  if (isItemwise) return [output, listOf[output] ?? output]
  return input === 'void' && output === 'void' ? ['void', 'object'] : [output]
}

const listOf: { readonly [Word in OutputWord]?: OutputWord } = { document: 'documents', blob: 'bloblist', string: 'list' }
