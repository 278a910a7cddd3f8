import { defineDocumentType } from '../../document-type.ts'

const media = ['Picture', 'Audio', 'Video']
const folderContent = ['Folder', 'OrderedFolder', 'File', 'Note', ...media]

export const rootTypes = [
  defineDocumentType('Document', {}),
  defineDocumentType('Relation', { schemas: ['relation', 'dublincore'] }),
]

export const folderTypes = [
  defineDocumentType('Folder', {
    extends: 'Document',
    schemas: ['common', 'dublincore', 'facetedTag'],
    facets: ['Folderish', 'NXTag'],
    subtypes: ['Collection', ...folderContent],
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
  defineDocumentType('PictureBook', {
    extends: 'Folder',
    schemas: ['picturebook'],
    subtypes: ['Picture'],
    lifecycle: 'default',
  }),
]

/** The fixed upper part of the tree: domains, the roots in them, workspaces and sections. */
export const spaceTypes = [
  defineDocumentType('Root', {
    extends: 'Folder',
    facets: ['NotCollectionMember'],
    subtypes: ['Domain'],
    lifecycle: 'default',
    icon: '/icons/folder.gif',
  }),
  defineDocumentType('Domain', {
    extends: 'Folder',
    schemas: ['domain'],
    facets: ['SuperSpace', 'NotCollectionMember'],
    subtypes: ['WorkspaceRoot', 'SectionRoot', 'TemplateRoot', 'CommentRoot', 'DocumentRouteInstancesRoot'],
    lifecycle: 'default',
    icon: '/icons/domain.gif',
  }),
  defineDocumentType('WorkspaceRoot', {
    extends: 'Folder',
    facets: ['SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
    subtypes: ['Workspace'],
    lifecycle: 'default',
    icon: '/icons/workspace.gif',
  }),
  defineDocumentType('Workspace', {
    extends: 'Folder',
    schemas: ['file', 'webcontainer', 'publishing', 'files'],
    facets: ['SuperSpace'],
    subtypes: ['Collection', 'Workspace', ...folderContent],
    lifecycle: 'default',
    icon: '/icons/workspace.gif',
  }),
  defineDocumentType('TemplateRoot', {
    extends: 'Folder',
    facets: ['SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
    subtypes: ['Workspace'],
    lifecycle: 'default',
    icon: '/icons/folder_template.gif',
  }),
  defineDocumentType('SectionRoot', {
    extends: 'Folder',
    facets: ['SuperSpace', 'HiddenInCreation', 'MasterPublishSpace', 'NotCollectionMember'],
    subtypes: ['Section'],
    lifecycle: 'default',
    icon: '/icons/section.png',
  }),
  defineDocumentType('Section', {
    extends: 'Folder',
    schemas: ['file'],
    facets: ['SuperSpace', 'PublishSpace'],
    subtypes: ['Section'],
    lifecycle: 'default',
    icon: '/icons/section.png',
  }),
]

export const fileTypes = [
  defineDocumentType('File', {
    extends: 'Document',
    schemas: ['common', 'file', 'dublincore', 'uid', 'files', 'relatedtext', 'facetedTag'],
    facets: ['Downloadable', 'Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
    lifecycle: 'default',
    icon: '/icons/file.gif',
  }),
  defineDocumentType('Note', {
    extends: 'Document',
    schemas: ['common', 'note', 'uid', 'files', 'dublincore', 'relatedtext', 'facetedTag'],
    facets: ['Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
    lifecycle: 'default',
    icon: '/icons/note.gif',
  }),
  defineDocumentType('Picture', {
    extends: 'Document',
    schemas: ['common', 'uid', 'dublincore', 'file', 'picture', 'image_metadata', 'relatedtext', 'facetedTag'],
    facets: ['Picture', 'Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
    lifecycle: 'default',
    icon: '/icons/image.gif',
  }),
  defineDocumentType('Video', {
    extends: 'Document',
    schemas: ['common', 'dublincore', 'uid', 'files', 'file', 'video', 'picture', 'facetedTag'],
    facets: ['Commentable', 'Versionable', 'Publishable', 'Video', 'HasStoryboard', 'HasVideoPreview', 'NXTag'],
    lifecycle: 'default',
    icon: '/icons/video.png',
  }),
  defineDocumentType('Audio', {
    extends: 'Document',
    schemas: ['common', 'dublincore', 'uid', 'file', 'audio', 'facetedTag'],
    facets: ['Audio', 'Commentable', 'Versionable', 'Publishable', 'NXTag'],
    lifecycle: 'default',
    icon: '/icons/audio.png',
  }),
]

export const administrationTypes = [
  defineDocumentType('ManagementRoot', { extends: 'Folder', facets: ['HiddenInNavigation', 'SystemDocument'] }),
  defineDocumentType('AdministrativeStatusContainer', { extends: 'Folder', facets: ['HiddenInNavigation', 'SystemDocument'] }),
  defineDocumentType('AdministrativeStatus', {
    extends: 'Document',
    schemas: ['dublincore', 'status'],
    facets: ['HiddenInNavigation', 'SystemDocument'],
  }),
]

export const contentTypes = [...rootTypes, ...folderTypes, ...spaceTypes, ...fileTypes, ...administrationTypes]
