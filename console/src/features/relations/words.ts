import { defineWords } from '../../words/words.ts'

export const useRelationWords = defineWords(
  {
    title: 'Related',
    none: 'Related to no other document.',
    relate: 'Relate',
    relateTitle: 'Relate {title}',
    how: 'It',
    to: 'Document',
    from: '{predicate} (from there)',
    publishedIn: 'Published in',
    related: 'Related to {title}',
    unrelate: 'Take away the relation to {title}',
    unrelated: 'No longer related to {title}',
    undo: 'Undo',
    cancel: 'Cancel',
  },
  {
    title: 'En relation',
    none: 'En relation avec aucun autre document.',
    relate: 'Relier',
    relateTitle: 'Relier {title}',
    how: 'Il',
    to: 'Document',
    from: '{predicate} (depuis ce document)',
    publishedIn: 'Publié dans',
    related: 'Relié à {title}',
    unrelate: 'Retirer la relation avec {title}',
    unrelated: 'Plus de relation avec {title}',
    undo: 'Annuler',
    cancel: 'Annuler',
  },
)
