/** Stands for nodemailer's own client of the web (`scripts/build-lazy.mjs`): our mails carry nothing that is fetched. */
export default function fetchNothing(): never {
  throw new Error('Mails fetch nothing')
}
