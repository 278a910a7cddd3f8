import { defineWords } from '../../words/words.ts'

export const useListWords = defineWords(
  {
    title: 'Title',
    select: 'Select {title}',
    place: 'Where',
    modified: 'Changed',
    size: 'Size',
    count: { one: '{count} document', other: '{count} documents' },
    selected: { one: '{count} selected', other: '{count} selected' },
  },
  {
    title: 'Titre',
    select: 'Sélectionner {title}',
    place: 'Emplacement',
    modified: 'Modifié',
    size: 'Taille',
    count: { one: '{count} document', other: '{count} documents' },
    selected: { one: '{count} sélectionné', other: '{count} sélectionnés' },
  },
)
