import { defineWords } from '../../words/words.ts'

export const useCreateWords = defineWords(
  {
    new: 'New',
    title: 'New document in {folder}',
    type: 'Type',
    name: 'Title',
    description: 'Description',
    create: 'Create',
    cancel: 'Cancel',
    created: '{title} was created',
    needsTitle: 'A title is needed, so that others find it.',
  },
  {
    new: 'Nouveau',
    title: 'Nouveau document dans {folder}',
    type: 'Type',
    name: 'Titre',
    description: 'Description',
    create: 'Créer',
    cancel: 'Annuler',
    created: '{title} a été créé',
    needsTitle: 'Il faut un titre pour que les autres le trouvent.',
  },
)
