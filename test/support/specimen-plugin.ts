import type { Listener } from '../../src/core/session.ts'
import { defineDocumentType } from '../../src/model/document-type.ts'
import {
  binary,
  blob,
  boolean,
  clob,
  complex,
  date,
  directoryEntry,
  double,
  type FieldDeclaration,
  list,
  long,
  string,
  user,
} from '../../src/model/field.ts'
import { defineSchema } from '../../src/model/schema.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { Enricher } from '../../src/rest/render/rendering.ts'

/** One field of every kind there is. */
const specimenSchema = defineSchema('specimen', {
  prefix: 'spc',
  fields: {
    text: string(),
    memo: clob(),
    count: long(),
    ratio: double(),
    flag: boolean(),
    moment: date(),
    bytes: binary(),
    words: list(string()),
    counts: list(long()),
    ratios: list(double()),
    flags: list(boolean()),
    moments: list(date()),
    address: complex({ street: string(), city: string(), since: date() }),
    nested: complex({ label: string(), inner: complex({ deep: list(string()), level: long() }) }),
    rows: list(complex({ label: string(), count: long(), picture: blob(), tags: list(string()) })),
    attachment: blob(),
    attachments: list(blob()),
  },
})

/** Without a prefix: the schema's own name stands before its fields. */
const filledSchema = defineSchema('filled', {
  fields: {
    word: string({ default: 'given' }),
    number: long({ default: 7 }),
    words: list(string(), { default: ['one', 'two'] }),
    part: complex({ name: string({ default: 'part' }), remark: string() }),
  },
})

const guardedSchema = defineSchema('guarded', {
  prefix: 'grd',
  fields: { grade: string({ default: 'C' }), remark: string() },
  secured: ['grade'],
})

const name = () => string({ pattern: '[a-zA-Z]+' })

const strictSchema = defineSchema('strict', {
  prefix: 'vs',
  fields: {
    users: list(complex({ firstname: name(), lastname: name() }), { itemName: 'user' }),
    codes: list(string({ pattern: '[A-Z]{3}' })),
    short: string({ constraints: [{ kind: 'length', minimum: 2, maximum: 4 }] }),
    color: string({ values: ['red', 'green'] }),
    age: long({ constraints: [{ kind: 'numericInterval', minimum: 0, maximum: 150, maximumInclusive: false }] }),
    born: date({ constraints: [{ kind: 'dateInterval', minimum: '1900-01-01' }] }),
    owner: user({ validation: true }),
    kind: string({ nillable: false, default: 'plain' }),
  },
})

const mandatorySchema = defineSchema('mandatory', {
  prefix: 'man',
  fields: {
    code: string({ nillable: false }),
    parts: list(string(), { nillable: false }),
    size: complex({ width: long(), height: long() }, { nillable: false }),
  },
})

const document = (store: 'id' | 'path' | 'idOnly' | 'pathOnly'): FieldDeclaration =>
  string({ resolver: { kind: 'document', store, validation: false } })

const referringSchema = defineSchema('referring', {
  prefix: 'ref',
  fields: {
    owner: user(),
    team: user({ type: 'group' }),
    anyone: user({ type: 'any' }),
    byId: document('id'),
    byPath: document('path'),
    byIdOnly: document('idOnly'),
    byPathOnly: document('pathOnly'),
    country: directoryEntry('country'),
    related: list(document('idOnly')),
    crew: list(complex({ role: string(), user: user() })),
    lead: complex({ user: user(), subject: directoryEntry('l10nsubjects', { parentField: 'parent', separator: '/' }) }),
  },
})

/** Gives new documents of the type a value, as a form would show it before anybody typed. */
const prefill: Listener = {
  name: 'prefill',
  when: 'inline',
  events: ['emptyDocumentModelCreated'],
  handle({ document: empty }) {
    if (empty.type !== 'Prefilled') return undefined
    return { ...empty, properties: { ...empty.properties, 'spc:text': 'by the listener', 'spc:words': ['by', 'listener'] } }
  },
}

const failing: Enricher = {
  name: 'failing',
  entityType: 'document',
  enrich: () => Promise.reject(new Error('this enricher always fails')),
}

/** Document types for tests: `Bare` has nothing but specimens, each of the others adds what its name says to a File. */
export default definePlugin({
  name: 'specimens',
  schemas: [specimenSchema, filledSchema, guardedSchema, strictSchema, mandatorySchema, referringSchema],
  documentTypes: [
    defineDocumentType('Bare', { extends: 'Document', schemas: ['specimen'] }),
    defineDocumentType('Specimen', { extends: 'File', schemas: ['specimen'], lifecycle: 'default' }),
    defineDocumentType('Filled', { extends: 'File', schemas: ['filled'], lifecycle: 'default' }),
    defineDocumentType('Guarded', { extends: 'File', schemas: ['guarded'], lifecycle: 'default' }),
    defineDocumentType('Strict', { extends: 'File', schemas: ['strict'], lifecycle: 'default' }),
    defineDocumentType('Mandatory', { extends: 'File', schemas: ['mandatory'], lifecycle: 'default' }),
    defineDocumentType('Referring', { extends: 'File', schemas: ['referring'], lifecycle: 'default' }),
    defineDocumentType('Prefilled', { extends: 'File', schemas: ['specimen'], lifecycle: 'default' }),
  ],
  listeners: [prefill],
  enrichers: [failing],
})
