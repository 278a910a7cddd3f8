import { defineWords } from '../../words/words.ts'

export const useCreateWords = defineWords(
  {
    new: 'New',
    title: 'New document',
    where: 'Where',
    type: 'Type',
    name: 'Title',
    description: 'Description',
    import: 'Choose files',
    importHint: 'Or import files: each becomes a document.',
    takesNothing: 'You cannot create anything in this folder. Choose another one.',
    create: 'Create',
    cancel: 'Cancel',
    created: '{title} was created',
    needsTitle: 'A title is needed, so that others find it.',
  },
  {
    new: 'Nouveau',
    title: 'Nouveau document',
    where: 'Où',
    type: 'Type',
    name: 'Titre',
    description: 'Description',
    import: 'Choisir des fichiers',
    importHint: 'Ou importez des fichiers : chacun devient un document.',
    takesNothing: 'Vous ne pouvez rien créer dans ce dossier. Choisissez-en un autre.',
    create: 'Créer',
    cancel: 'Annuler',
    created: '{title} a été créé',
    needsTitle: 'Il faut un titre pour que les autres le trouvent.',
  },
)
