import { useCallback } from 'react'
import { defineWords, type Say } from '../../words/words.ts'

const useKnownTypes = defineWords(
  {
    Collection: 'Collection',
    Domain: 'Domain',
    File: 'File',
    Folder: 'Folder',
    Note: 'Note',
    OrderedFolder: 'Ordered folder',
    Picture: 'Picture',
    Audio: 'Audio',
    Video: 'Video',
    Section: 'Section',
    SectionRoot: 'Sections',
    TemplateRoot: 'Templates',
    Workspace: 'Workspace',
    WorkspaceRoot: 'Workspaces',
  },
  {
    Collection: 'Collection',
    Domain: 'Domaine',
    File: 'Fichier',
    Folder: 'Dossier',
    Note: 'Note',
    OrderedFolder: 'Dossier ordonné',
    Picture: 'Image',
    Audio: 'Son',
    Video: 'Vidéo',
    Section: 'Section',
    SectionRoot: 'Sections',
    TemplateRoot: 'Modèles',
    Workspace: 'Espace de travail',
    WorkspaceRoot: 'Espaces de travail',
  },
)

const useKnownStates = defineWords(
  {
    project: 'In progress',
    approved: 'Approved',
    obsolete: 'Obsolete',
    deleted: 'Removed',
    draft: 'Draft',
    published: 'Published',
  },
  {
    project: 'En cours',
    approved: 'Approuvé',
    obsolete: 'Obsolète',
    deleted: 'Supprimé',
    draft: 'Brouillon',
    published: 'Publié',
  },
)

/** What people call where a document stands in its life. */
export function useStateNames(): (state: string) => string {
  const say = useKnownStates() as Say
  return useCallback((state) => (say(state) === state ? spelledOut(state) : say(state)), [say])
}

/** What people call a type; one that no words are known for is told by its name, as words. */
export function useTypeNames(): (type: string) => string {
  const say = useKnownTypes() as Say
  return useCallback((type) => (say(type) === type ? spelledOut(type) : say(type)), [say])
}

export function spelledOut(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
