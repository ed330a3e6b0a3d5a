/** Stands for nodemailer's list of file types (`scripts/build-lazy.mjs`): our mails carry no files. */
export const detectMimeType = () => 'application/octet-stream'
export const detectExtension = () => 'bin'
