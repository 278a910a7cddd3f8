import { alike, blob, boolean, clob, complex, date, directoryEntry, list, long, string, user } from '../field.ts'
import { defineSchema } from '../schema.ts'

export const common = defineSchema('common', {
  fields: { icon: string(), 'icon-expanded': string() },
  removed: { size: {} },
})

export const dublincore = defineSchema('dublincore', {
  prefix: 'dc',
  fields: {
    title: string({ indexed: true }),
    description: string({ maxLength: 2000 }),
    subjects: list(directoryEntry('l10nsubjects', { parentField: 'parent', separator: '/' }), { indexed: true }),
    rights: string(),
    source: string(),
    coverage: directoryEntry('l10ncoverage', { parentField: 'parent', separator: '/' }),
    created: date({ indexed: true }),
    modified: date({ indexed: true }),
    issued: date(),
    valid: date(),
    expired: date(),
    format: string(),
    language: string(),
    creator: user({ indexed: true }),
    contributors: list(user(), { indexed: true }),
    lastContributor: user({ indexed: true }),
    nature: directoryEntry('nature'),
    publisher: string(),
  },
})

/** The two numbers are columns of the document row, whichever type it has; here they get their names. */
export const uid = defineSchema('uid', {
  fields: { uid: string(), major_version: long(), minor_version: long() },
})

export const file = defineSchema('file', {
  fields: { content: blob() },
  removed: { filename: { fallback: 'content/name' } },
})

export const files = defineSchema('files', {
  fields: { files: list(complex({ file: blob() })) },
  removed: { 'files/*/filename': { fallback: 'files/*/file/name' } },
})

export const note = defineSchema('note', {
  fields: { note: clob(), mime_type: string() },
  html: [{ field: 'note', unless: { field: 'mime_type', is: ['text/plain', 'text/x-web-markdown', 'text/xml'] } }],
})

export const domain = defineSchema('domain', {
  fields: { display_type: boolean({ default: false }), content_roots: list(string()) },
})

export const webcontainer = defineSchema('webcontainer', {
  prefix: 'webc',
  fields: {
    isWebContainer: boolean(),
    ...alike(string(), 'name', 'url', 'template'),
    theme: string({ default: 'sites' }),
    themePage: string({ default: 'workspace' }),
    ...alike(string(), 'themePerspective', 'email'),
    welcomeText: clob(),
    baseline: string(),
    ...alike(blob(), 'welcomeMedia', 'logo'),
    useCaptcha: boolean(),
    moderationType: string({ default: 'aposteriori' }),
  },
  html: [{ field: 'welcomeText' }],
})

export const relatedtext = defineSchema('relatedtext', {
  fields: { relatedtextresources: list(complex({ relatedtextid: string(), relatedtext: clob() })) },
  writableOnVersions: true,
})

/** What retention has to remember of a record: see model/retention.ts. */
export const retention = defineSchema('retention', { fields: { atLeastUntil: date() }, secured: ['atLeastUntil'] })

export const contentSchemas = [common, dublincore, uid, file, files, note, domain, webcontainer, relatedtext, retention]
