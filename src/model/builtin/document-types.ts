import { defineDocumentType } from '../document-type.ts'

const folderContent = ['Folder', 'OrderedFolder', 'File', 'Note']

export const rootTypes = [defineDocumentType('Document', {})]

export const folderTypes = [
  defineDocumentType('Folder', {
    extends: 'Document',
    schemas: ['common', 'dublincore'],
    facets: ['Folderish'],
    subtypes: folderContent,
    lifecycle: 'default',
    icon: '/icons/folder.gif',
  }),
  defineDocumentType('OrderedFolder', {
    extends: 'Folder',
    facets: ['Orderable'],
    subtypes: folderContent,
    lifecycle: 'default',
    icon: '/icons/ordered_folder.png',
  }),
  defineDocumentType('HiddenFolder', { extends: 'Folder', facets: ['HiddenInNavigation'], lifecycle: 'default' }),
]

/** The fixed upper part of the tree: domains, the roots in them, workspaces and sections. */
export const spaceTypes = [
  defineDocumentType('Root', {
    isReserved: true,
    extends: 'Folder',
    subtypes: ['Domain'],
    lifecycle: 'default',
    icon: '/icons/folder.gif',
  }),
  defineDocumentType('Domain', {
    extends: 'Folder',
    schemas: ['domain'],
    facets: ['SuperSpace'],
    subtypes: ['WorkspaceRoot', 'TemplateRoot'],
    lifecycle: 'default',
    icon: '/icons/domain.gif',
  }),
  defineDocumentType('WorkspaceRoot', {
    extends: 'Folder',
    facets: ['SuperSpace', 'HiddenInCreation'],
    subtypes: ['Workspace'],
    lifecycle: 'default',
    icon: '/icons/workspace.gif',
  }),
  defineDocumentType('Workspace', {
    extends: 'Folder',
    schemas: ['file', 'webcontainer', 'files'],
    facets: ['SuperSpace'],
    subtypes: ['Workspace', ...folderContent],
    lifecycle: 'default',
    icon: '/icons/workspace.gif',
  }),
  defineDocumentType('TemplateRoot', {
    extends: 'Folder',
    facets: ['SuperSpace', 'HiddenInCreation'],
    subtypes: ['Workspace'],
    lifecycle: 'default',
    icon: '/icons/folder_template.gif',
  }),
]

export const fileTypes = [
  defineDocumentType('File', {
    extends: 'Document',
    schemas: ['common', 'file', 'dublincore', 'uid', 'files', 'relatedtext'],
    facets: ['Downloadable', 'Versionable', 'HasRelatedText'],
    lifecycle: 'default',
    icon: '/icons/file.gif',
  }),
  defineDocumentType('Note', {
    extends: 'Document',
    schemas: ['common', 'note', 'uid', 'files', 'dublincore', 'relatedtext'],
    facets: ['Versionable', 'HasRelatedText'],
    lifecycle: 'default',
    icon: '/icons/note.gif',
  }),
]

export const contentTypes = [...rootTypes, ...folderTypes, ...spaceTypes, ...fileTypes]
