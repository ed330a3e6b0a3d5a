import type { Language } from '../../config/names'

export type MailKind = 'verify' | 'reset' | 'test' | 'export' | 'email' | 'moving'

/** `{tenant}` stands for the tenant's name. */
interface MailText {
  subject: string
  lines: readonly string[]
  /** What the link is called; null where there is none. */
  action: string | null
  footer: string
}

/** Mails to end users and the SMTP test, in every language of the product. */
export const MAIL_TEXT: Record<Language, Record<MailKind, MailText>> = {
  en: {
    verify: {
      subject: 'Confirm your e-mail address for {tenant}',
      lines: ['Somebody, most likely you, registered at {tenant} with this e-mail address.'],
      action: 'Confirm e-mail address',
      footer:
        'The link works once, within 24 hours. If you did not register, do not open it and ignore this message.',
    },
    reset: {
      subject: 'Set a new password for {tenant}',
      lines: ['A new password was requested for your account at {tenant}.'],
      action: 'Set a new password',
      footer:
        'The link works once, within 30 minutes. If you did not ask for it, ignore this message: nothing changes.',
    },
    test: {
      subject: 'Test message from {tenant}',
      lines: ['The mail settings of {tenant} work: this message was sent with them.'],
      action: null,
      footer: 'Nothing has to be done.',
    },
    export: {
      subject: 'Your data from {tenant} is ready',
      lines: [
        'What {tenant} keeps of you has been put together in one archive. It can be downloaded where you asked for it.',
      ],
      action: null,
      footer:
        'It can be downloaded for 7 days and is deleted after that. If you did not ask for it, change your password.',
    },
    email: {
      subject: 'Confirm your new e-mail address for {tenant}',
      lines: ['You asked {tenant} to use this e-mail address for your account from now on.'],
      action: 'Confirm e-mail address',
      footer:
        'The link works once, within 24 hours. Until then nothing changes. If you did not ask for it, do not open it and ignore this message.',
    },
    moving: {
      subject: 'Your e-mail address for {tenant} is about to change',
      lines: [
        'Somebody who knows your password, most likely you, asked {tenant} to use another e-mail address for your account. It changes once that address is confirmed.',
      ],
      action: null,
      footer: 'If it was not you, set a new password now.',
    },
  },
  zh: {
    verify: {
      subject: '请确认您在{tenant}的电子邮箱',
      lines: ['有人（很可能是您）使用此邮箱在{tenant}注册了账户。'],
      action: '确认邮箱',
      footer:
        '该链接在 24 小时内有效，且只能使用一次。如果您没有注册，请不要打开链接，忽略此邮件即可。',
    },
    reset: {
      subject: '为{tenant}设置新密码',
      lines: ['有人请求为您在{tenant}的账户设置新密码。'],
      action: '设置新密码',
      footer:
        '该链接在 30 分钟内有效，且只能使用一次。如果不是您本人的请求，请忽略此邮件，账户不会有任何变化。',
    },
    test: {
      subject: '来自{tenant}的测试邮件',
      lines: ['{tenant}的邮件设置工作正常：此邮件就是用该设置发送的。'],
      action: null,
      footer: '您无需进行任何操作。',
    },
    export: {
      subject: '您在{tenant}的数据已准备好',
      lines: ['{tenant}保存的您的所有数据已打包成一个文件。您可以在提出请求的地方下载。'],
      action: null,
      footer: '文件可在 7 天内下载，之后将被删除。如果不是您本人的请求，请更改密码。',
    },
    email: {
      subject: '请确认您在{tenant}的新电子邮箱',
      lines: ['您请求{tenant}今后在您的账户中使用此邮箱。'],
      action: '确认邮箱',
      footer:
        '该链接在 24 小时内有效，且只能使用一次。在此之前不会有任何变化。如果不是您本人的请求，请不要打开链接，忽略此邮件即可。',
    },
    moving: {
      subject: '您在{tenant}的电子邮箱即将更改',
      lines: [
        '有人（知道您的密码，很可能是您本人）请求{tenant}在您的账户中使用另一个邮箱。该邮箱确认后即会更改。',
      ],
      action: null,
      footer: '如果不是您本人，请立即设置新密码。',
    },
  },
  'zh-TW': {
    verify: {
      subject: '請確認您在{tenant}的電子郵件地址',
      lines: ['有人（很可能是您）使用此電子郵件地址在{tenant}註冊了帳戶。'],
      action: '確認電子郵件地址',
      footer:
        '此連結在 24 小時內有效，且只能使用一次。如果您沒有註冊，請不要開啟連結，忽略此郵件即可。',
    },
    reset: {
      subject: '為{tenant}設定新密碼',
      lines: ['有人要求為您在{tenant}的帳戶設定新密碼。'],
      action: '設定新密碼',
      footer:
        '此連結在 30 分鐘內有效，且只能使用一次。如果不是您本人的要求，請忽略此郵件，帳戶不會有任何變更。',
    },
    test: {
      subject: '來自{tenant}的測試郵件',
      lines: ['{tenant}的郵件設定運作正常：此郵件就是以該設定寄出的。'],
      action: null,
      footer: '您無需進行任何操作。',
    },
    export: {
      subject: '您在{tenant}的資料已準備好',
      lines: ['{tenant}保存的您的所有資料已打包成一個檔案。您可以在提出要求的地方下載。'],
      action: null,
      footer: '檔案可在 7 天內下載，之後將被刪除。如果不是您本人的要求，請變更密碼。',
    },
    email: {
      subject: '請確認您在{tenant}的新電子郵件地址',
      lines: ['您要求{tenant}今後在您的帳戶中使用此電子郵件地址。'],
      action: '確認電子郵件地址',
      footer:
        '此連結在 24 小時內有效，且只能使用一次。在此之前不會有任何變更。如果不是您本人的要求，請不要開啟連結，忽略此郵件即可。',
    },
    moving: {
      subject: '您在{tenant}的電子郵件地址即將變更',
      lines: [
        '有人（知道您的密碼，很可能是您本人）要求{tenant}在您的帳戶中使用另一個電子郵件地址。該地址確認後即會變更。',
      ],
      action: null,
      footer: '如果不是您本人，請立即設定新密碼。',
    },
  },
  es: {
    verify: {
      subject: 'Confirma tu correo electrónico para {tenant}',
      lines: [
        'Alguien, seguramente tú, se ha registrado en {tenant} con esta dirección de correo.',
      ],
      action: 'Confirmar correo electrónico',
      footer:
        'El enlace funciona una sola vez, durante 24 horas. Si no te has registrado, no lo abras e ignora este mensaje.',
    },
    reset: {
      subject: 'Elige una contraseña nueva para {tenant}',
      lines: ['Se ha solicitado una contraseña nueva para tu cuenta en {tenant}.'],
      action: 'Elegir contraseña nueva',
      footer:
        'El enlace funciona una sola vez, durante 30 minutos. Si no lo has pedido, ignora este mensaje: nada cambiará.',
    },
    test: {
      subject: 'Mensaje de prueba de {tenant}',
      lines: [
        'La configuración de correo de {tenant} funciona: este mensaje se ha enviado con ella.',
      ],
      action: null,
      footer: 'No tienes que hacer nada.',
    },
    export: {
      subject: 'Tus datos de {tenant} están listos',
      lines: [
        'Todo lo que {tenant} guarda sobre ti está reunido en un archivo. Puedes descargarlo donde lo pediste.',
      ],
      action: null,
      footer:
        'Se puede descargar durante 7 días y después se elimina. Si no lo has pedido, cambia tu contraseña.',
    },
    email: {
      subject: 'Confirma tu nuevo correo electrónico para {tenant}',
      lines: [
        'Has pedido a {tenant} que use esta dirección de correo para tu cuenta a partir de ahora.',
      ],
      action: 'Confirmar correo electrónico',
      footer:
        'El enlace funciona una sola vez, durante 24 horas. Hasta entonces no cambia nada. Si no lo has pedido, no lo abras e ignora este mensaje.',
    },
    moving: {
      subject: 'Tu correo electrónico para {tenant} va a cambiar',
      lines: [
        'Alguien que conoce tu contraseña, seguramente tú, ha pedido a {tenant} que use otra dirección de correo para tu cuenta. Cambiará cuando se confirme esa dirección.',
      ],
      action: null,
      footer: 'Si no has sido tú, elige ahora una contraseña nueva.',
    },
  },
  ru: {
    verify: {
      subject: 'Подтвердите адрес электронной почты для {tenant}',
      lines: [
        'Кто-то, вероятно вы, зарегистрировался в {tenant} с этим адресом электронной почты.',
      ],
      action: 'Подтвердить адрес',
      footer:
        'Ссылка действует один раз в течение 24 часов. Если вы не регистрировались, не открывайте её и не отвечайте на это письмо.',
    },
    reset: {
      subject: 'Новый пароль для {tenant}',
      lines: ['Для вашей учётной записи в {tenant} запрошен новый пароль.'],
      action: 'Задать новый пароль',
      footer:
        'Ссылка действует один раз в течение 30 минут. Если вы этого не запрашивали, ничего не делайте: пароль останется прежним.',
    },
    test: {
      subject: 'Тестовое письмо от {tenant}',
      lines: ['Настройки почты {tenant} работают: это письмо отправлено с ними.'],
      action: null,
      footer: 'Ничего делать не нужно.',
    },
    export: {
      subject: 'Ваши данные из {tenant} готовы',
      lines: [
        'Всё, что {tenant} хранит о вас, собрано в одном архиве. Скачать его можно там, где вы его запросили.',
      ],
      action: null,
      footer:
        'Скачать архив можно в течение 7 дней, затем он будет удалён. Если вы этого не запрашивали, смените пароль.',
    },
    email: {
      subject: 'Подтвердите новый адрес электронной почты для {tenant}',
      lines: [
        'Вы попросили {tenant} использовать этот адрес электронной почты для вашей учётной записи.',
      ],
      action: 'Подтвердить адрес',
      footer:
        'Ссылка действует один раз в течение 24 часов. До этого ничего не изменится. Если вы этого не запрашивали, не открывайте её и не отвечайте на это письмо.',
    },
    moving: {
      subject: 'Ваш адрес электронной почты для {tenant} скоро изменится',
      lines: [
        'Кто-то, кто знает ваш пароль, вероятно вы, попросил {tenant} использовать другой адрес электронной почты для вашей учётной записи. Он изменится, когда новый адрес будет подтверждён.',
      ],
      action: null,
      footer: 'Если это были не вы, сразу задайте новый пароль.',
    },
  },
  fr: {
    verify: {
      subject: 'Confirmez votre adresse e-mail pour {tenant}',
      lines: ['Quelqu’un, sans doute vous, s’est inscrit chez {tenant} avec cette adresse e-mail.'],
      action: 'Confirmer l’adresse e-mail',
      footer:
        'Le lien fonctionne une seule fois, pendant 24 heures. Si vous ne vous êtes pas inscrit, ne l’ouvrez pas et ignorez ce message.',
    },
    reset: {
      subject: 'Choisissez un nouveau mot de passe pour {tenant}',
      lines: ['Un nouveau mot de passe a été demandé pour votre compte chez {tenant}.'],
      action: 'Choisir un nouveau mot de passe',
      footer:
        'Le lien fonctionne une seule fois, pendant 30 minutes. Si vous n’avez rien demandé, ignorez ce message : rien ne change.',
    },
    test: {
      subject: 'Message de test de {tenant}',
      lines: [
        'Les réglages de messagerie de {tenant} fonctionnent : ce message a été envoyé avec eux.',
      ],
      action: null,
      footer: 'Vous n’avez rien à faire.',
    },
    export: {
      subject: 'Vos données de {tenant} sont prêtes',
      lines: [
        'Tout ce que {tenant} conserve sur vous est réuni dans une archive. Vous pouvez la télécharger là où vous l’avez demandée.',
      ],
      action: null,
      footer:
        'Elle peut être téléchargée pendant 7 jours, puis elle est supprimée. Si vous n’avez rien demandé, changez votre mot de passe.',
    },
    email: {
      subject: 'Confirmez votre nouvelle adresse e-mail pour {tenant}',
      lines: [
        'Vous avez demandé à {tenant} d’utiliser désormais cette adresse e-mail pour votre compte.',
      ],
      action: 'Confirmer l’adresse e-mail',
      footer:
        'Le lien fonctionne une seule fois, pendant 24 heures. D’ici là, rien ne change. Si vous n’avez rien demandé, ne l’ouvrez pas et ignorez ce message.',
    },
    moving: {
      subject: 'Votre adresse e-mail pour {tenant} va changer',
      lines: [
        'Quelqu’un qui connaît votre mot de passe, sans doute vous, a demandé à {tenant} d’utiliser une autre adresse e-mail pour votre compte. Elle changera dès que cette adresse sera confirmée.',
      ],
      action: null,
      footer: 'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe.',
    },
  },
  ar: {
    verify: {
      subject: 'أكّد بريدك الإلكتروني لدى {tenant}',
      lines: ['سجّل شخص ما، وعلى الأرجح أنت، لدى {tenant} بهذا البريد الإلكتروني.'],
      action: 'تأكيد البريد الإلكتروني',
      footer:
        'يعمل الرابط مرة واحدة خلال 24 ساعة. إذا لم تكن أنت من سجّل، فلا تفتحه وتجاهل هذه الرسالة.',
    },
    reset: {
      subject: 'عيّن كلمة مرور جديدة لدى {tenant}',
      lines: ['طُلبت كلمة مرور جديدة لحسابك لدى {tenant}.'],
      action: 'تعيين كلمة مرور جديدة',
      footer:
        'يعمل الرابط مرة واحدة خلال 30 دقيقة. إذا لم تطلبه، فتجاهل هذه الرسالة: لن يتغير شيء.',
    },
    test: {
      subject: 'رسالة اختبار من {tenant}',
      lines: ['إعدادات البريد لدى {tenant} تعمل: أُرسلت هذه الرسالة بها.'],
      action: null,
      footer: 'لا يلزمك فعل أي شيء.',
    },
    export: {
      subject: 'بياناتك لدى {tenant} جاهزة',
      lines: ['جُمع كل ما يحتفظ به {tenant} عنك في ملف واحد. يمكنك تنزيله من حيث طلبته.'],
      action: null,
      footer: 'يمكن تنزيله خلال 7 أيام ثم يُحذف. إذا لم تطلبه، فغيّر كلمة المرور.',
    },
    email: {
      subject: 'أكّد بريدك الإلكتروني الجديد لدى {tenant}',
      lines: ['طلبت من {tenant} استخدام هذا البريد الإلكتروني لحسابك من الآن فصاعدًا.'],
      action: 'تأكيد البريد الإلكتروني',
      footer:
        'يعمل الرابط مرة واحدة خلال 24 ساعة. لن يتغير شيء حتى ذلك الحين. إذا لم تطلبه، فلا تفتحه وتجاهل هذه الرسالة.',
    },
    moving: {
      subject: 'بريدك الإلكتروني لدى {tenant} على وشك التغيير',
      lines: [
        'طلب شخص يعرف كلمة مرورك، وعلى الأرجح أنت، من {tenant} استخدام بريد إلكتروني آخر لحسابك. سيتغير عند تأكيد ذلك البريد.',
      ],
      action: null,
      footer: 'إذا لم تكن أنت، فعيّن كلمة مرور جديدة الآن.',
    },
  },
}
