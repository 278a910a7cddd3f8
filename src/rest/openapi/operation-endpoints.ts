import type { Operation } from '../../automation/operation.ts'
import type { Parameter, ParameterTable } from '../../automation/parameter.ts'
import type { ParameterWord } from '../../automation/values/words.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { answersOfMethods } from '../render/value-entity.ts'
import type { Description } from '../route.ts'
import { exampleDocument } from './example-values.ts'
import { type Schema, Type } from './schema.ts'

/** How the command of an operation is described, as if each had an address of its own, which for a client it has. */
export function describeOperationCall(operation: Operation, vendored: VendorIdentifiers): Description {
  const { description, aliases, params, methods } = operation
  const others = aliases.length === 0 ? '' : ` Also called ${aliases.join(', ')}.`
  return {
    summary: `${description}${others}`,
    body: Type.Object({
      params: isRequired(params) ? paramsSchema(params) : Type.Optional(paramsSchema(params)),
      input: inputSchema(operation, vendored),
      context: Type.Optional(Type.Object({}, { additionalProperties: true })),
    }),
    acceptsForms: true,
    answers: answersOfMethods(methods, vendored),
  }
}

function inputSchema({ methods }: Operation, vendored: VendorIdentifiers): Schema {
  const taken = [...new Set(methods.map(({ input }) => input))].filter((input) => input !== 'void')
  const examples = taken.flatMap((kind) => inputExamples[kind] ?? [])
  const input = Type.Unknown({
    description: taken.length === 0 ? 'Not looked at' : taken.map(vendored).join(', or '),
    ...(examples.length > 0 && { examples }),
  })
  return taken.length > 0 && methods.every((method) => method.input !== 'void') ? input : Type.Optional(input)
}

const inputExamples: { readonly [kind: string]: unknown } = {
  document: exampleDocument,
  documents: [[exampleDocument]],
}

function isRequired(params: ParameterTable): boolean {
  return Object.values(params).some((parameter) => parameter.isRequired)
}

function paramsSchema(params: ParameterTable): Schema {
  const schemas = Object.entries(params).map(([name, parameter]) => [name, parameterSchema(parameter)] as const)
  return Type.Object(Object.fromEntries(schemas), { additionalProperties: true })
}

function parameterSchema({ word, isRequired, description, values = [], ...parameter }: Parameter): Schema {
  const { default: fallback } = parameter
  const schema = {
    ...schemasByWord[word],
    ...(description !== undefined && { description }),
    ...(values.length > 0 && { examples: values }),
    ...(isPlain(fallback) && { default: fallback }),
  } as Schema
  return isRequired ? schema : Type.Optional(schema)
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

const reference = 'An id, a path, or repository:id'
const file = Type.Object({}, { additionalProperties: true, description: 'upload-batch and upload-fileId, or data and name' })

const schemasByWord: { readonly [Word in ParameterWord]: Schema } = {
  string: Type.String(),
  boolean: Type.Boolean(),
  int: Type.Integer({ format: 'int32' }),
  integer: Type.Integer({ format: 'int32' }),
  long: Type.Integer({ format: 'int64' }),
  float: Type.Number(),
  date: Type.String({ format: 'date-time' }),
  document: Type.String({ description: reference, examples: [exampleDocument] }),
  documents: Type.Array(Type.String({ description: reference }), { examples: [[exampleDocument]] }),
  blob: file,
  bloblist: Type.Array(file),
  stringlist: Type.Array(Type.String()),
  properties: Type.Object({}, { additionalProperties: true, description: 'Values by xpath' }),
  resource: Type.String({ format: 'uri' }),
  list: Type.Array(Type.Unknown()),
  map: Type.Object({}, { additionalProperties: true }),
  object: Type.Unknown(),
  serializable: Type.Unknown(),
  validationmethod: Type.String(),
}
