import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as quire from './index.ts'
import * as testing from './testing.ts'

/** Plugins of others are written against these names: adding one is fine, taking one away is a breaking change. */
const published = {
  quire: [
    'Problem',
    'announce',
    'binary',
    'blob',
    'boolean',
    'clob',
    'complex',
    'createDocument',
    'date',
    'defineDirectory',
    'defineDocumentType',
    'defineFacet',
    'definePlugin',
    'defineProblem',
    'defineSchema',
    'deny',
    'double',
    'entity',
    'grant',
    'hasPermission',
    'json',
    'list',
    'long',
    'noContent',
    'offer',
    'readDocument',
    'readDocumentByPath',
    'removeDocument',
    'requireDocument',
    'requireDocuments',
    'requirePermission',
    'saveDocument',
    'setAcls',
    'string',
    'user',
  ],
  'quire/testing': ['startTestServer'],
}

describe('what a plugin imports', () => {
  test('from quire is what was published', () => assert.deepEqual(Object.keys(quire).sort(), published.quire))
  test('from quire/testing is what was published', () =>
    assert.deepEqual(Object.keys(testing).sort(), published['quire/testing']))
})
