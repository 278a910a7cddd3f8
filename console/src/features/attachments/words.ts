import { defineWords } from '../../words/words.ts'

export const useAttachmentWords = defineWords(
  {
    title: 'Attachments',
    add: 'Attach',
    addFiles: 'Attach files',
    none: 'Nothing is attached.',
    remove: 'Remove {name}',
    removed: '{name} is no longer attached',
    added: { one: '{count} file is attached', other: '{count} files are attached' },
  },
  {
    title: 'Pièces jointes',
    add: 'Joindre',
    addFiles: 'Joindre des fichiers',
    none: 'Rien n’est joint.',
    remove: 'Retirer {name}',
    removed: '{name} n’est plus joint',
    added: { one: '{count} fichier est joint', other: '{count} fichiers sont joints' },
  },
)
