import { defineDocumentType } from '../../../src/model/document-type.ts'
import { blob, boolean, complex, date, double, list, long, string } from '../../../src/model/field.ts'
import { createModel } from '../../../src/model/model.ts'
import { defineSchema } from '../../../src/model/schema.ts'
import { builtinContributions } from '../model/builtin-model.ts'

const people = defineSchema('people', {
  prefix: 'p',
  fields: {
    people: list(complex({ first: string(), last: string(), age: long(), phones: list(string()) })),
    owner: complex({ firstname: string(), lastname: string() }),
    groups: list(complex({ name: string(), members: list(complex({ name: string() })) })),
  },
})

const every = defineSchema('every', {
  prefix: 'my',
  fields: {
    string: string(),
    long: long(),
    double: double(),
    boolean: boolean(),
    date: date(),
    dates: list(date()),
    longs: list(long()),
    blob: blob(),
    defaulted: string({ default: 'the default' }),
  },
})

/** What a server knows before any plugin speaks, and a type with a field of every kind. */
export const queryModel = createModel({
  ...builtinContributions,
  schemas: [...builtinContributions.schemas, people, every],
  documentTypes: [
    ...builtinContributions.documentTypes,
    defineDocumentType('Specimen', { extends: 'File', schemas: ['people', 'every'] }),
  ],
})
