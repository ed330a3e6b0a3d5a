import type { Words } from './pack'

/** What reading a question needs of a language. */
export interface AskingPack {
  /** Words that frame a question and name nothing ("please", "tell me", "I was wondering"). */
  frames: Words
  /** Phrases that ask and name nothing ("how long", "what time"). */
  interrogatives: Words
  /** How an instruction begins that says what it is for ("to delete a document, …"). */
  purposes: Words
  /** Words that say little by themselves: found or not, they decide less. */
  light: Words
  /** Words that people use for one another; each line is one meaning. */
  synonyms: readonly Words[]
  /** How questions of a kind begin or what they hold. */
  kinds: {
    how: Words
    definition: Words
    number: Words
    time: Words
    place: Words
    person: Words
    reason: Words
    list: Words
    yesNo: Words
  }
}

const words = (text: string): Words => text.split(' ')
const groups = (text: string): Words[] => text.split(';').map((line) => line.trim().split(' '))

export const ASKING: Readonly<Record<string, AskingPack>> = {
  en: {
    interrogatives: ['how long', 'how many', 'how much', 'how often', 'how big', 'how large', 'how small', 'how far', 'how old', 'how tall', 'what time', 'what kind of', 'what kinds of', 'what types of', 'what do i do', 'what should i do', 'what now', 'how come', 'what is the way'],
    purposes: ['to', 'if you want to', 'in order to', 'for'],
    frames: words(
      'please pls tell explain show know knows wonder wondering want wants wanted like liked would need needs looking look trying try tried help hi hello hey thanks thank question questions quick quickly ask asking asked let lets id ive im whats hows wheres thats actually really maybe anyone someone something anything somehow possible possibly exactly currently now today mean means meant well okay ok sorry good morning day evening there everyone bit sure guess think thinking curious heard saw seen',
    ),
    light: words(
      'use uses used using get gets got getting make makes made making set setting take takes took go goes going come comes give gives put puts find found finding work works working happen happens happened do does done doing thing things way ways kind kinds type types able allow allows allowed have having keep start new different best better right first next last week month year time times many much long often big large small high low say says said call called contain contains include includes number amount part parts case example product service thing people person buy bought back same own difference between versus',
    ),
    synonyms: groups(
      'delete remove erase deletion removal erased deleted; change edit modify update alter adjust switch; create make add new generate creation; cost costs price pricing fee fees charge charged expensive pay; picture pictures image images photo photos; size big large limit; maximum max limit most biggest largest; minimum min least; start run launch boot starting; stop quit end cancel; return returns send; refund refunds refunded reimbursement money; return refund; ship ships shipping deliver delivery deliveries send; human person people agent staff someone; website site page web homepage; file files document documents upload; lost forgot forgotten forget; password pasword; broken fails failed error problem; secure encrypted encryption safe security; fast quick speed; store stored keep kept save saved saving; stay stays remain remains left; own custom; warranty guarantee; open opens opening hours; unsubscribe cancel; account profile; buy purchase order; mail email; waterproof water; computer machine laptop pc; install installation setup; key keys token; stuck queued hang hangs; text message; connect attach integrate link integration register add bind; log audit trail history; works supports support',
    ),
    kinds: {
      how: ['how do', 'how can', 'how to', 'how should', 'how would', 'how could', 'how might', 'what is the way', 'what are the steps', 'what do i do', 'what should i do', 'what now', 'way to', 'steps to'],
      definition: ['what is', "what's", 'whats', 'what are', 'what does', 'who is', 'define', 'meaning of', 'explain', 'what do you mean by'],
      number: ['how many', 'how much', 'how long', 'how often', 'how big', 'how large', 'how far', 'how old', 'how tall', 'how small', 'how fast', 'what size', 'maximum', 'minimum', 'limit', 'price', 'cost', 'which version', 'what version', 'how high'],
      time: ['when', 'what time', 'since when', 'how long', 'until when', 'what date'],
      place: ['where', 'which folder', 'which country', 'which countries', 'what address'],
      person: ['who', 'whom', 'whose'],
      reason: ['why', 'how come', 'what causes', 'reason'],
      list: ['which', 'what kinds', 'what types', 'what file types', 'what formats', 'what are the', 'what options', 'list', 'what scopes', 'what fields'],
      yesNo: ['can', 'could', 'do', 'does', 'did', 'is', 'are', 'was', 'will', 'would', 'may', 'should', 'has', 'have', 'must', 'am'],
    },
  },
  es: {
    interrogatives: ['a qué hora', 'desde cuándo', 'cuánto tiempo', 'qué hago', 'que hago', 'por qué', 'por que', 'qué tipo de', 'qué tipos de'],
    purposes: ['para', 'si quieres', 'si desea'],
    frames: words(
      'por favor dime decirme digame explica explicame saber sabe quiero quisiera queria querria necesito quiere pregunta preguntar hola buenas buenos dias tardes gracias puedo puede pueden podria podeis poder ayuda ayudar me gustaria tengo duda hago hacer hace posible sirve',
    ),
    light: words(
      'usar uso usa utilizar obtener tener tiene tienen hacer poner pone dar da ir va venir encontrar funciona funcionar funcionan cosa cosas manera forma tipo tipos nuevo nueva numero cantidad parte veces tiempo vez grande mejor primero ultimo semana mes producto articulo servicio tarda llega hay existe cuesta significa',
    ),
    synonyms: groups(
      'borrar eliminar suprimir quitar; cambiar modificar editar; crear hacer generar anadir; cuesta costar coste precio tarifa vale costo; imagen imagenes foto fotos; tamano limite grande; maximo limite; iniciar arrancar empezar ejecutar inicio poner; detener parar; devolver devolucion devuelvo retornar; reembolso devolucion dinero; enviar envio envios entrega mandar; persona humano; sitio web pagina; archivo archivos fichero documento documentos; cifrado cifrados encriptado seguro; contrasena clave; abrir abre horario abren; baja darse cancelar desuscribirse; pagar pago; articulo producto; ordenador maquina computadora; error problema; garantia; boletin newsletter',
    ),
    kinds: {
      how: ['cómo', 'como', 'de qué manera', 'qué hago', 'que hago'],
      definition: ['qué es', 'que es', 'qué son', 'qué significa', 'quién es'],
      number: ['cuánto', 'cuanto', 'cuánta', 'cuántos', 'cuántas', 'tamaño', 'máximo', 'límite', 'precio'],
      time: ['cuándo', 'cuando', 'a qué hora', 'desde cuándo', 'cuánto tarda'],
      place: ['dónde', 'donde', 'en qué'],
      person: ['quién', 'quien', 'quiénes'],
      reason: ['por qué', 'porque', 'por que'],
      list: ['qué tipos', 'cuáles', 'qué formatos', 'qué'],
      yesNo: ['puedo', 'puede', 'se puede', 'es', 'son', 'hay', 'tiene', 'tienen', 'está', 'están', 'necesito', 'abren', 'envían', 'soporta', 'se integra', 'mis'],
    },
  },
  ru: {
    interrogatives: ['во сколько', 'как долго', 'что делать', 'что мне делать', 'каким образом', 'с какого', 'что такое'],
    purposes: ['чтобы', 'для', 'если вы хотите'],
    frames: words(
      'пожалуйста подскажите подскажи скажите скажи расскажите объясните объясни знать хочу хотел хотела бы хотелось нужно надо вопрос здравствуйте привет добрый день вечер спасибо можно могу можете можешь помогите помощь интересует делать сделать ли какой какая какое какие каков какова сколько',
    ),
    light: words(
      'использовать использования получить делать сделать поставить взять найти работает работают работать вещь способ вид виды тип новый новая число количество часть раз время большой лучший первый последний неделя месяц год товар продукт услуга идёт идет занимает стоит есть бывает значит',
    ),
    synonyms: groups(
      'удалить стереть убрать удаление; изменить поменять сменить редактировать; создать сделать добавить сгенерировать; стоит стоимость цена тариф сколько; картинка картинки картинок изображение изображения изображений фото; размер большой лимит предел; максимальный предел лимит наибольший; запустить запуск начать старт; остановить; вернуть возврат возвращаются; деньги возврат средства; доставка доставить доставляете отправка; человек оператор; сайт страница; файл файлы документ документы; шифрование шифруются зашифрованы шифрует; пароль; открывается работает открыт открывается часы; отписаться рассылка; оплатить оплата платить; занят занимает используется; ошибка проблема; гарантия; загрузить загрузка',
    ),
    kinds: {
      how: ['как', 'каким образом', 'что делать', 'что мне делать'],
      definition: ['что такое', 'что это', 'кто такой', 'что значит', 'что означает'],
      number: ['сколько', 'какой размер', 'максимальн', 'какова', 'предел', 'лимит', 'цена', 'стоимость'],
      time: ['когда', 'во сколько', 'как долго', 'с какого'],
      place: ['где', 'куда', 'откуда'],
      person: ['кто', 'кому', 'кем'],
      reason: ['почему', 'зачем', 'отчего'],
      list: ['какие', 'которые', 'каких'],
      yesNo: ['можно ли', 'можно', 'есть ли', 'ли', 'нужно ли', 'вы', 'поддерживает'],
    },
  },
  fr: {
    interrogatives: ['à quelle heure', 'depuis quand', 'combien de temps', 'que faire', "qu'est-ce que c'est", "qu'est-ce que", "qu'est-ce qu", "c'est quoi", 'est-ce que'],
    purposes: ['pour', 'afin de', 'si vous voulez'],
    frames: words(
      "s'il vous plait svp dites dis dire expliquez expliquer savoir sais sait veux voudrais voulais besoin faut question bonjour salut bonsoir merci puis-je peux peut peuvent pouvez pourrais aide aider est-ce que fais faire j'ai jai j'aimerais possible",
    ),
    light: words(
      "utiliser utilise obtenir avoir faire mettre prendre prend prennent donner aller trouver fonctionne fonctionner marche chose choses maniere facon type types nouveau nouvelle nombre quantite partie fois temps grand meilleur premier dernier semaine mois article produit service existe coute signifie",
    ),
    synonyms: groups(
      'supprimer effacer enlever; changer modifier editer; creer faire generer ajouter; coute couter cout prix tarif coutent; image images photo photos; taille limite grand; maximum maximale limite; demarrer lancer commencer; arreter; retourner rendre renvoyer retour reprises; remboursement rembourser argent; livraison livrer livrez envoyer expedier; humain personne; site page; fichier fichiers document documents; chiffre chiffrees chiffrement crypte; ouvert ouvre ouvrir horaires ouverts; desabonner desinscrire; payer paiement; garantie garanties garanti; newsletter lettre',
    ),
    kinds: {
      how: ['comment', 'de quelle manière', 'que faire', 'que dois-je faire'],
      definition: ["qu'est-ce que", "qu'est-ce qu", "c'est quoi", 'que signifie', 'qui est'],
      number: ['combien', 'quelle taille', 'maximum', 'limite', 'quel prix', 'quel est le prix'],
      time: ['quand', 'à quelle heure', 'depuis quand', 'combien de temps'],
      place: ['où', "d'où"],
      person: ['qui'],
      reason: ['pourquoi'],
      list: ['quels', 'quelles', 'lesquels'],
      yesNo: ['est-ce que', 'puis-je', 'peut-on', 'y a-t-il', 'livrez-vous', 'avez-vous', 'vous', 'est-il', 'sont-ils'],
    },
  },
  ar: {
    interrogatives: ['ماذا أفعل', 'كم يستغرق', 'كم مدة', 'ما هو', 'ما هي', 'كم تكلفة'],
    purposes: ['من أجل', 'لكي', 'إذا أردت'],
    frames: words('من فضلك لو سمحت أخبرني اخبرني اشرح أريد اريد أعرف اعرف معرفة أود اود سؤال مرحبا أهلا السلام عليكم شكرا يمكن يمكنني أستطيع استطيع هل أفعل افعل مساعدة أحتاج احتاج'),
    light: words('استخدام استعمال الحصول عمل جعل وضع أخذ وجد شيء طريقة نوع أنواع جديد عدد كمية جزء مرة وقت كبير أفضل أول آخر أسبوع شهر سنة منتج خدمة يوجد تكون يستغرق مدة'),
    synonyms: groups(
      'حذف إزالة مسح; تغيير تعديل; إنشاء عمل إضافة; تكلفة سعر ثمن يكلف تكلف; صورة صور; حجم حد; أقصى حد; تشغيل بدء; إيقاف; إرجاع أرجع إعادة ارجاع; استرداد إرجاع المبلغ يعاد; توصيل شحن نوصل توصلون; شخص إنسان; موقع صفحة; ملف ملفات وثيقة مستند; تشفير مشفر; مفتوح يفتح ساعات يغلق; ضمان',
    ),
    kinds: {
      how: ['كيف', 'ماذا أفعل', 'ما هي خطوات'],
      definition: ['ما هو', 'ما هي', 'ما معنى', 'من هو'],
      number: ['كم', 'ما حجم', 'أقصى', 'حد'],
      time: ['متى', 'كم يستغرق', 'كم مدة'],
      place: ['أين'],
      person: ['من'],
      reason: ['لماذا'],
      list: ['ما أنواع', 'أي'],
      yesNo: ['هل'],
    },
  },
  zh: {
    interrogatives: ['多少', '多久', '多大', '多长', '多高', '几点', '什么时候', '怎么办', '怎么', '如何', '怎样', '哪里', '哪儿', '哪些', '是什么', '什么是', '什么', '为什么', '为何', '有没有', '能不能', '可不可以', '是不是', '是否', '可以', '吗', '几'],
    purposes: ['要', '如需', '若要', '如果要', '想要', '为了'],
    frames: words('请 请问 告诉 告诉我 想 想知道 知道 我想 问 问一下 一下 你好 您好 谢谢 可以 能 能不能 可不可以 是否 需要 应该 怎样 怎么样 怎么办 办 多少 多久 多长 几 哪里 哪儿 哪些 哪个 什么时候 为什么 是什么 多大 多高 多远 有没有 怎 么 长时间 时间 是不是'),
    light: words('使用 用 做 进行 获得 得到 设置 放 拿 找到 工作 东西 方法 方式 种类 类型 新 数量 部分 次 大 最好 第一 最后 周 月 年 产品 商品 服务 支持 有 需 长 几点 张'),
    synonyms: groups('删除 移除 清除; 更改 修改 变更 编辑 换; 创建 新建 生成 建立 添加; 费用 价格 运费 价钱 钱 收费; 图片 照片 图像; 大小 尺寸 限制 上限; 最大 上限 最多; 启动 运行 开始; 停止; 退货 退 退回 无理由; 退款 退钱; 发货 配送 快递 送货; 人工 真人; 网站 网页 页面; 文件 文档; 加密; 密码; 开门 营业 开; 休息 周日; 退订 取消; 付款 支付; 占用 使用; 保修 质保'),
    kinds: {
      how: ['怎么', '如何', '怎样', '怎么办'],
      definition: ['什么是', '是什么', '是谁', '什么意思'],
      number: ['多少', '多久', '几', '多大', '多长', '多高', '最大', '最多', '上限'],
      time: ['什么时候', '何时', '几点', '多久'],
      place: ['哪里', '哪儿', '在哪'],
      person: ['谁'],
      reason: ['为什么', '为何'],
      list: ['哪些', '什么类型', '哪几'],
      yesNo: ['吗', '是否', '能不能', '可以', '有没有', '是不是'],
    },
  },
  'zh-TW': {
    interrogatives: ['多少', '多久', '多大', '多長', '多高', '幾點', '什麼時候', '怎麼辦', '怎麼', '如何', '怎樣', '哪裡', '哪些', '是什麼', '什麼是', '什麼', '為什麼', '為何', '有沒有', '能不能', '可不可以', '是不是', '是否', '可以', '嗎', '幾'],
    purposes: ['要', '如需', '若要', '如果要', '想要', '為了'],
    frames: words('請 請問 告訴 告訴我 想 想知道 知道 我想 問 問一下 一下 你好 您好 謝謝 可以 能 能不能 可不可以 是否 需要 應該 怎樣 怎麼樣 怎麼辦 辦 多少 多久 多長 幾 哪裡 哪兒 哪些 哪個 什麼時候 為什麼 是什麼 多大 多高 多遠 有没有 怎 麼 長時間 時間 是不是'),
    light: words('使用 用 做 進行 獲得 得到 設置 放 拿 找到 工作 東西 方法 方式 種類 類型 新 數量 部分 次 大 最好 第一 最後 周 月 年 產品 商品 服務 支持 有 需 長 幾點 張'),
    synonyms: groups('刪除 移除 清除; 更改 修改 變更 編輯 換; 創建 新建 生成 建立 添加; 費用 價格 運費 價錢 錢 收費; 圖片 照片 圖像; 大小 尺寸 限制 上限; 最大 上限 最多; 啟動 運行 開始; 停止; 退貨 退 退回 無理由; 退款 退錢; 發貨 配送 快遞 送貨; 人工 真人; 網站 網頁 頁面; 文件 文檔; 加密; 密碼; 開門 營業 開; 休息 週日 星期天 公休; 退訂 取消; 付款 支付 刷卡 刷; 佔用 使用; 保固 保修 質保'),
    kinds: {
      how: ['怎麼', '如何', '怎樣', '怎麼辦'],
      definition: ['什麼是', '是什麼', '是誰', '什麼意思'],
      number: ['多少', '多久', '幾', '多大', '多長', '多高', '最大', '最多', '上限'],
      time: ['什麼時候', '何時', '幾點', '多久'],
      place: ['哪裡', '哪兒', '在哪'],
      person: ['誰'],
      reason: ['為什麼', '為何'],
      list: ['哪些', '什麼類型', '哪幾'],
      yesNo: ['嗎', '是否', '能不能', '可以', '有没有', '是不是'],
    },
  },
}
