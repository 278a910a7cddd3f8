import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as quire from './index.ts'
import * as testing from './testing.ts'

/** Plugins of others are written against these names: adding one is fine, taking one away is a breaking change. */
const published = {
  quire: [
    'Problem',
    'addPermission',
    'announce',
    'binary',
    'blob',
    'blockInheritance',
    'boolean',
    'checkInDocument',
    'checkOutDocument',
    'clob',
    'complex',
    'copyDocument',
    'createDocument',
    'createProxy',
    'date',
    'defineBulkAction',
    'defineDirectory',
    'defineDocumentType',
    'defineFacet',
    'definePageProvider',
    'definePlugin',
    'defineProblem',
    'defineSchema',
    'deny',
    'double',
    'entity',
    'followTransition',
    'getOrCreateChild',
    'grant',
    'hasPermission',
    'json',
    'list',
    'listVersions',
    'lockDocument',
    'long',
    'moveDocument',
    'noContent',
    'offer',
    'orderBefore',
    'publishDocument',
    'readDocument',
    'readDocumentByPath',
    'removeDocument',
    'removePermission',
    'replacePermission',
    'requireDocument',
    'requireDocuments',
    'requirePermission',
    'restoreVersion',
    'runProvider',
    'saveDocument',
    'setAcls',
    'string',
    'trashDocument',
    'unblockInheritance',
    'unlockDocument',
    'unpublishDocument',
    'untrashDocument',
    'user',
  ],
  'quire/testing': ['startTestServer'],
}

describe('what a plugin imports', () => {
  test('from quire is what was published', () => assert.deepEqual(Object.keys(quire).sort(), published.quire))
  test('from quire/testing is what was published', () =>
    assert.deepEqual(Object.keys(testing).sort(), published['quire/testing']))
})
