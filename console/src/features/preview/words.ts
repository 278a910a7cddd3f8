import { defineWords } from '../../words/words.ts'

export const usePreviewWords = defineWords(
  {
    none: 'This file cannot be shown here',
    noneHint: 'Download it to open it with a program of yours.',
    download: 'Download {name}',
    picture: 'Picture {name}',
    page: 'Page {page} of {pages}',
    previous: 'Previous page',
    next: 'Next page',
    zoomIn: 'Larger',
    zoomOut: 'Smaller',
    cut: 'Only the beginning is shown.',
    document: 'Preview of {name}',
  },
  {
    none: 'Ce fichier ne peut pas être affiché ici',
    noneHint: 'Téléchargez-le pour l’ouvrir avec un de vos programmes.',
    download: 'Télécharger {name}',
    picture: 'Image {name}',
    page: 'Page {page} sur {pages}',
    previous: 'Page précédente',
    next: 'Page suivante',
    zoomIn: 'Agrandir',
    zoomOut: 'Réduire',
    cut: 'Seul le début est affiché.',
    document: 'Aperçu de {name}',
  },
)
