import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createModel } from '../model.ts'
import { contentModel } from './content-model.ts'

const namesOf = (definitions: readonly { readonly name: string }[]) => definitions.map(({ name }) => name).sort()

/** What a feature brings is in its folder. A name added here needs a reason why a document cannot be without it. */
describe('what documents are, without any feature,', () => {
  test('is sound by itself', () => assert.doesNotThrow(() => createModel(contentModel)))

  test('is in these schemas', () =>
    assert.deepEqual(namesOf(contentModel.schemas), [
      'common',
      'domain',
      'dublincore',
      'file',
      'files',
      'note',
      'relatedtext',
      'retention',
      'uid',
      'webcontainer',
    ]))

  test('is of these types', () =>
    assert.deepEqual(namesOf(contentModel.documentTypes), [
      'Document',
      'Domain',
      'File',
      'Folder',
      'HiddenFolder',
      'Note',
      'OrderedFolder',
      'Root',
      'TemplateRoot',
      'Workspace',
      'WorkspaceRoot',
    ]))

  test('is marked by these facets', () =>
    assert.deepEqual(namesOf(contentModel.facets), [
      'BigFolder',
      'Downloadable',
      'Folderish',
      'HasRelatedText',
      'HiddenInCreation',
      'HiddenInNavigation',
      'NotFulltextIndexable',
      'Orderable',
      'RetainedAtLeast',
      'SuperSpace',
      'SystemDocument',
      'Versionable',
      'WebView',
    ]))

  test('has one lifecycle', () => assert.deepEqual(namesOf(contentModel.lifecycles), ['default']))

  test('is read, written and shared by these rights', () =>
    assert.deepEqual(namesOf(contentModel.permissions), [
      'AddChildren',
      'Browse',
      'Everything',
      'ManageWorkflows',
      'Read',
      'ReadChildren',
      'ReadLifeCycle',
      'ReadProperties',
      'ReadRemove',
      'ReadSecurity',
      'ReadVersion',
      'ReadWrite',
      'Remove',
      'RemoveChildren',
      'RestrictedRead',
      'ReviewParticipant',
      'Unlock',
      'Version',
      'Write',
      'WriteLifeCycle',
      'WriteProperties',
      'WriteSecurity',
      'WriteVersion',
    ]))
})
