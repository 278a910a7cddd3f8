import { defineWords } from '../../words/words.ts'

const knownTasks = ['collectFiles', 'checkFiles', 'reindexTexts', 'backUp'] as const

/** Others may come with plugins, or with a newer server. */
export function isKnownTask(name: string): name is (typeof knownTasks)[number] {
  return (knownTasks as readonly string[]).includes(name)
}

export const useMaintenanceWords = defineWords(
  {
    title: 'Maintenance',
    hint: 'Work on everything that the server keeps. It goes on in the background, whoever looks.',
    collectFiles: 'Remove files that nobody needs',
    collectFilesHint: 'Frees the room of files that no document and no upload refers to. It happens every night by itself.',
    checkFiles: 'Check files',
    checkFilesHint: 'Reads every file and compares it with what its documents say about it. It may take hours.',
    reindexTexts: 'Read texts anew',
    reindexTextsHint:
      'Reads every file again, so that full text finds documents by what is in them, after programs that read files were added.',
    backUp: 'Back up',
    backUpHint: 'Writes everything, as it is at one moment, to the folder of backups that the server was told of.',
    start: 'Start',
    stop: 'Stop',
    of: '{action}: {title}',
    cancel: 'Cancel',
    collectTitle: 'Remove files that nobody needs?',
    collectSentence: 'They cannot be brought back. If they are more than half of all files, nothing is removed.',
    never: 'Not done from here yet.',
    waiting: 'Begins in a moment',
    progress: '{done} of {total}',
    done: 'Done {moment}.',
    failed: 'Failed {moment}.',
    stopped: 'Stopped {moment}.',
    startedBy: 'Started by',
    collected: {
      one: '{count} file removed ({freed}); {kept} stay ({size}).',
      other: '{count} files removed ({freed}); {kept} stay ({size}).',
    },
    checked: { one: '{count} file read ({size}).', other: '{count} files read ({size}).' },
    sound: 'All are as they should be.',
    flawed: { one: '{count} is not as it should be.', other: '{count} are not as they should be.' },
    flaws: 'What is wrong',
    missing: 'is missing',
    unreadable: 'cannot be read',
    wrongDigest: 'is damaged',
    wrongLength: 'has another length',
    aVersion: 'A version',
    reread: { one: '{count} file read.', other: '{count} files read.' },
    unread: { one: '{count} has no text that can be read.', other: '{count} have no text that can be read.' },
    backedUp: {
      one: '{count} file ({size}) in it, of which {copied} new.',
      other: '{count} files ({size}) in it, of which {copied} new.',
    },
    backupIn: 'In {folder}.',
    backupLost: {
      one: '{count} file was missing or damaged before: check files.',
      other: '{count} files were missing or damaged before: check files.',
    },
  },
  {
    title: 'Maintenance',
    hint: 'Du travail sur tout ce que le serveur garde. Il continue en arrière-plan, qu’on le regarde ou non.',
    collectFiles: 'Supprimer les fichiers inutiles',
    collectFilesHint:
      'Libère la place des fichiers auxquels aucun document ni aucun envoi ne se réfère. Cela se fait aussi chaque nuit.',
    checkFiles: 'Vérifier les fichiers',
    checkFilesHint: 'Lit chaque fichier et le compare à ce qu’en disent ses documents. Cela peut durer des heures.',
    reindexTexts: 'Relire les textes',
    reindexTextsHint:
      'Relit chaque fichier, pour que la recherche trouve les documents par leur contenu, après l’ajout de programmes qui lisent des fichiers.',
    backUp: 'Sauvegarder',
    backUpHint: 'Écrit tout, dans l’état d’un même instant, dans le dossier des sauvegardes indiqué au serveur.',
    start: 'Lancer',
    stop: 'Arrêter',
    of: '{action} : {title}',
    cancel: 'Annuler',
    collectTitle: 'Supprimer les fichiers inutiles ?',
    collectSentence: 'Ils ne pourront pas être récupérés. S’ils sont plus de la moitié de tous, rien n’est supprimé.',
    never: 'Pas encore lancé d’ici.',
    waiting: 'Commence dans un instant',
    progress: '{done} sur {total}',
    done: 'Terminé le {moment}.',
    failed: 'Échoué le {moment}.',
    stopped: 'Arrêté le {moment}.',
    startedBy: 'Lancé par',
    collected: {
      one: '{count} fichier supprimé ({freed}) ; {kept} restent ({size}).',
      other: '{count} fichiers supprimés ({freed}) ; {kept} restent ({size}).',
    },
    checked: { one: '{count} fichier lu ({size}).', other: '{count} fichiers lus ({size}).' },
    sound: 'Tous sont en bon état.',
    flawed: { one: '{count} n’est pas en bon état.', other: '{count} ne sont pas en bon état.' },
    flaws: 'Ce qui ne va pas',
    missing: 'est absent',
    unreadable: 'est illisible',
    wrongDigest: 'est endommagé',
    wrongLength: 'a une autre longueur',
    aVersion: 'Une version',
    reread: { one: '{count} fichier lu.', other: '{count} fichiers lus.' },
    unread: { one: '{count} n’a pas de texte lisible.', other: '{count} n’ont pas de texte lisible.' },
    backedUp: {
      one: '{count} fichier ({size}), dont {copied} de nouveaux.',
      other: '{count} fichiers ({size}), dont {copied} de nouveaux.',
    },
    backupIn: 'Dans {folder}.',
    backupLost: {
      one: '{count} fichier était déjà absent ou endommagé : vérifiez les fichiers.',
      other: '{count} fichiers étaient déjà absents ou endommagés : vérifiez les fichiers.',
    },
  },
)
