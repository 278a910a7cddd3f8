import { defineWords, type Say } from '../../words/words.ts'
import { spelledOut } from '../documents/type-words.ts'

export const useRenditionWords = defineWords(
  {
    download: 'Download',
    file: 'The file',
    archive: 'All files as a zip archive',
    preparing: 'The archive is being made…',
    none: 'There is nothing to download',
    waiting: 'Looking what there is…',
    failed: 'What there is to download could not be listed',
  },
  {
    download: 'Télécharger',
    file: 'Le fichier',
    archive: 'Tous les fichiers dans une archive zip',
    preparing: 'L’archive est en préparation…',
    none: 'Il n’y a rien à télécharger',
    waiting: 'Recherche de ce qu’il y a…',
    failed: 'Impossible de lister ce qui peut être téléchargé',
  },
)

const useKnownRenditions = defineWords(
  {
    thumbnail: 'Small picture',
    pdf: 'PDF',
    imageToPDF: 'PDF',
    xmlExport: 'Properties as XML',
    zipExport: 'Files and properties (zip)',
    zipTreeExport: 'Everything in it, with properties (zip)',
  },
  {
    thumbnail: 'Petite image',
    pdf: 'PDF',
    imageToPDF: 'PDF',
    xmlExport: 'Propriétés en XML',
    zipExport: 'Fichiers et propriétés (zip)',
    zipTreeExport: 'Tout le contenu, avec les propriétés (zip)',
  },
)

/** What people call a rendition; one that no words are known for is told by its name, as words. */
export function useRenditionNames(): (name: string) => string {
  const say = useKnownRenditions() as Say
  return (name) => {
    const known = say(name)
    return known === name ? (/[a-z][A-Z]/.test(name) ? spelledOut(name) : name) : known
  }
}
