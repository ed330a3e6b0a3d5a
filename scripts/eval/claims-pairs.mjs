import { createHash } from 'node:crypto'

/**
 * Words of which one says the opposite of the other, or that exclude each other, for `eval:claims`; each pair is read both
 * ways. They were collected from word lists of school books and from what help texts speak of, not from the product's lists,
 * and a seeded hash gives each pair to one half: `inPairs` below. Spaces part pairs, `_` stands for a blank within a phrase.
 */
export const PAIRS = {
  en: `open/closed public/private accept/reject accepted/rejected allowed/forbidden arrival/departure arrived/departed
    ancient/modern appeared/disappeared attack/defence attacked/defended rich/poor birth/death born/died black/white buy/sell
    cause/effect child/adult children/adults cold/hot created/destroyed built/demolished day/night days/nights dry/wet
    easy/difficult empty/full entrance/exit enemy/ally enemies/allies exports/imports failed/succeeded failure/success
    father/mother son/daughter husband/wife king/queen brother/sister men/women friend/enemy future/past gained/lost
    good/bad guilty/innocent hard/soft heavy/light hidden/visible human/animal internal/external land/sea life/death
    light/dark long/short major/minor majority/minority maximum/minimum mountain/valley narrow/wide natural/artificial
    negative/positive offensive/defensive old/new optional/mandatory peace/war permanent/temporary physical/mental
    present/absent profit/loss question/answer raised/lowered rural/urban same/different single/multiple simple/complex
    solid/liquid strong/weak summer/winter spring/autumn supply/demand teacher/student teachers/students thick/thin
    top/bottom true/false united/divided victory/defeat red/blue green/red morning/evening weekday/weekend Monday/Friday
    daily/weekly annual/monthly manual/automatic incoming/outgoing online/offline lock/unlock install/uninstall
    connect/disconnect encrypt/decrypt read/write synchronous/asynchronous enabled/disabled active/inactive required/optional
    prefix/suffix horizontal/vertical ascending/descending rows/columns width/height client/server request/response
    sender/recipient debit/credit paid/free domestic/foreign expanded/shrank support/oppose supported/opposed
    joined/left entered/left added/removed adding/removing Catholic/Protestant military/civilian employer/employee
    winners/losers victims/attackers approved/refused ally/rival`,
  es: `abierto/cerrado abierta/cerrada público/privado pública/privada aceptar/rechazar aceptó/rechazó permitido/prohibido
    llegada/salida llegó/partió antiguo/moderno antigua/moderna ataque/defensa ricos/pobres nacimiento/muerte nació/murió
    blanco/negro blanca/negra comprar/vender causa/efecto niños/adultos frío/calor creado/destruido día/noche días/noches
    seco/húmedo fácil/difícil vacío/lleno entrada/salida enemigo/aliado enemigos/aliados exportación/importación
    fracaso/éxito padre/madre hijo/hija rey/reina hermano/hermana hombres/mujeres futuro/pasado bueno/malo interno/externo
    interna/externa tierra/mar vida/muerte largo/corto larga/corta mayoría/minoría máximo/mínimo estrecho/ancho
    natural/artificial negativo/positivo nuevo/viejo nueva/vieja paz/guerra permanente/temporal físico/mental rural/urbano
    mismo/diferente simple/complejo sólido/líquido fuerte/débil verano/invierno primavera/otoño oferta/demanda
    victoria/derrota rojo/azul mañana/tarde lunes/viernes diario/semanal anual/mensual manual/automático gratis/de_pago
    obligatorio/opcional activo/inactivo horizontal/vertical primero/último oriental/occidental norteño/sureño
    crecimiento/reducción apoyó/rechazó subió/bajó entró/salió católico/protestante militar/civil enviar/recibir`,
  ru: `открыт/закрыт открыта/закрыта открыто/закрыто государственный/частный принял/отклонил разрешено/запрещено
    прибытие/отправление древний/современный древних/современных нападение/защита богатых/бедных рождения/смерти
    родился/умер белый/чёрный белые/чёрные купить/продать причина/следствие детей/взрослых холодный/горячий
    холодной/горячей создан/разрушен день/ночь сухой/влажный лёгкий/трудный пустой/полный вход/выход враг/союзник
    экспорт/импорт неудача/успех отец/мать сын/дочь король/королева брат/сестра мужчин/женщин мужчины/женщины
    будущее/прошлое хороший/плохой внутренний/внешний внутренние/внешние внутренней/внешней земли/моря жизни/смерти
    длинный/короткий большинство/меньшинство большинства/меньшинства максимум/минимум узкий/широкий
    естественный/искусственный отрицательный/положительный новый/старый новые/старые новой/старой мир/война
    постоянный/временный сельский/городской простой/сложный простые/сложные твёрдый/жидкий сильный/слабый летом/зимой
    весной/осенью спрос/предложение победа/поражение победы/поражения красный/синий утром/вечером понедельник/пятница
    ежедневно/еженедельно вручную/автоматически бесплатно/платно обязательный/необязательный активный/неактивный
    поддержал/отверг вырос/упал католиков/протестантов военный/гражданский военных/гражданских отправить/получить`,
  de: `offen/geschlossen öffentlich/privat öffentliche/private öffentlichen/privaten annehmen/ablehnen erlaubt/verboten
    Ankunft/Abfahrt antiken/modernen Angriff/Verteidigung reich/arm reichen/armen Geburt/Tod geboren/gestorben weiß/schwarz
    kaufen/verkaufen Ursache/Wirkung Kinder/Erwachsene kalt/heiß erschaffen/zerstört gebaut/abgerissen Tag/Nacht Tage/Nächte
    trocken/nass leicht/schwer leer/voll Eingang/Ausgang Feind/Verbündeter Export/Import Misserfolg/Erfolg Vater/Mutter
    Sohn/Tochter König/Königin Bruder/Schwester Männer/Frauen Zukunft/Vergangenheit guten/schlechten interne/externe
    Land/Meer Leben/Tod lange/kurze langen/kurzen Mehrheit/Minderheit maximal/minimal schmal/breit natürliche/künstliche
    negative/positive neue/alte neuen/alten Frieden/Krieg dauerhaft/vorübergehend ländlich/städtisch einfach/komplex
    feste/flüssige stark/schwach starke/schwache Sommer/Winter Frühling/Herbst Angebot/Nachfrage Sieg/Niederlage rot/blau
    Morgen/Abend morgens/abends Montag/Freitag täglich/wöchentlich jährlich/monatlich manuell/automatisch
    kostenlos/kostenpflichtig verpflichtend/freiwillig aktiv/inaktiv waagerecht/senkrecht unterstützte/bekämpfte
    katholischen/protestantischen militärische/zivile militärischen/zivilen senden/empfangen hinzufügen/entfernen
    groß/klein große/kleine großen/kleinen viele/wenige hohen/niedrigen gleichen/anderen`,
  tr: `açık/kapalı kamu/özel kabul/ret izin/yasak varış/kalkış antik/modern saldırı/savunma zengin/yoksul doğum/ölüm
    doğdu/öldü beyaz/siyah almak/satmak neden/sonuç çocuklar/yetişkinler soğuk/sıcak yaratılmış/yıkılmış gündüz/gece
    kuru/ıslak kolay/zor boş/dolu giriş/çıkış düşman/müttefik ihracat/ithalat başarısızlık/başarı baba/anne oğlu/kızı
    kral/kraliçe erkekler/kadınlar erkek/kadın gelecek/geçmiş iç/dış kara/deniz yaşam/ölüm uzun/kısa çoğunluk/azınlık
    azami/asgari dar/geniş doğal/yapay olumsuz/olumlu yeni/eski barış/savaş kalıcı/geçici kırsal/kentsel aynı/farklı
    basit/karmaşık katı/sıvı güçlü/zayıf yaz/kış ilkbahar/sonbahar arz/talep zafer/yenilgi kırmızı/mavi sabah/akşam
    pazartesi/cuma günlük/haftalık yıllık/aylık otomatik/elle ücretsiz/ücretli zorunlu/isteğe_bağlı etkin/devre_dışı
    yatay/dikey destekledi/reddetti Katolik/Protestan askeri/sivil gönderme/alma büyük/küçük iyi/kötü birçok/az`,
  zh: `公开/秘密 公共/私人 公立/私立 接受/拒绝 允许/禁止 到达/离开 古代/现代 进攻/防守 攻击/防御 富人/穷人 出生/死亡 生于/卒于 白色/黑色
    购买/出售 原因/结果 儿童/成人 寒冷/炎热 建立/摧毁 建造/拆除 白天/夜晚 干燥/潮湿 容易/困难 入口/出口 敌人/盟友 成功/失败 父亲/母亲
    儿子/女儿 国王/女王 哥哥/弟弟 男子/女子 未来/过去 内部/外部 国内/国外 陆地/海洋 生命/死亡 多数/少数 最大/最小 狭窄/宽阔 天然/人工
    自然/人工 负面/正面 和平/战争 永久/暂时 农村/城市 相同/不同 简单/复杂 固体/液体 强大/弱小 夏季/冬季 春季/秋季 供应/需求 胜利/失败
    红色/蓝色 早上/晚上 上午/下午 星期一/星期五 每日/每周 每年/每月 手动/自动 免费/收费 必须/可选 水平/垂直 支持/反对 加入/退出
    天主教/新教 军事/民用 发送/接收 添加/删除 主要/次要 长期/短期 直接/间接 顶部/底部 正式/非正式 提高/降低 扩大/缩小 合法/非法
    首都/省会 中央/地方 传统/现代 高温/低温`,
  'zh-TW': `公開/秘密 公共/私人 公立/私立 接受/拒絕 允許/禁止 到達/離開 古代/現代 進攻/防守 攻擊/防禦 富人/窮人 出生/死亡 白色/黑色
    購買/出售 原因/結果 兒童/成人 寒冷/炎熱 建立/摧毀 建造/拆除 白天/夜晚 乾燥/潮濕 容易/困難 入口/出口 敵人/盟友 成功/失敗 父親/母親
    兒子/女兒 國王/女王 哥哥/弟弟 男子/女子 未來/過去 內部/外部 國內/國外 陸地/海洋 生命/死亡 多數/少數 最大/最小 狹窄/寬闊 天然/人工
    自然/人工 負面/正面 和平/戰爭 永久/暫時 農村/城市 相同/不同 簡單/複雜 固體/液體 強大/弱小 夏季/冬季 春季/秋季 供應/需求
    紅色/藍色 早上/晚上 上午/下午 星期一/星期五 每日/每週 每年/每月 手動/自動 免費/收費 必須/可選 水平/垂直 支持/反對 加入/退出
    天主教/新教 軍事/民用 傳送/接收 新增/刪除 主要/次要 長期/短期 直接/間接 頂部/底部 提高/降低 擴大/縮小 合法/非法 中央/地方
    傳統/現代 高溫/低溫`,
  ja: `公開/非公開 公立/私立 国立/私立 受け入れ/拒否 許可/禁止 到着/出発 古代/現代 攻撃/防御 攻撃/守備 出生/死亡 白い/黒い 購入/販売 原因/結果
    子供/大人 寒い/暑い 建設/解体 設立/解散 昼間/夜間 乾燥/湿潤 容易/困難 入口/出口 敵/味方 成功/失敗 父/母 息子/娘 国王/女王 兄/弟
    男子/女子 男性/女性 未来/過去 内部/外部 国内/国外 陸上/海上 多数/少数 最大/最小 狭い/広い 天然/人工 自然/人工 負/正 平和/戦争
    永久/一時 農村/都市 同じ/異なる 単純/複雑 固体/液体 強い/弱い 夏/冬 春/秋 供給/需要 勝利/敗北 赤い/青い 午前/午後 朝/夜 月曜日/金曜日
    毎日/毎週 毎年/毎月 手動/自動 無料/有料 必須/任意 水平/垂直 賛成/反対 加入/脱退 軍事/民間 送信/受信 追加/削除 主要/副次 長期/短期
    直接/間接 上部/下部 拡大/縮小 合法/違法 中央/地方 伝統/現代 高温/低温 新しい/古い 前者/後者 上り/下り 西洋/東洋 先行/後発`,
  fr: `ouvert/fermé public/privé publique/privée publics/privés accepter/refuser autorisé/interdit arrivée/départ
    ancien/nouveau attaque/défense achat/vente cause/effet enfants/adultes jour/nuit facile/difficile vide/plein
    entrée/sortie succès/échec interne/externe maximum/minimum même/autre simple/complexe été/hiver rouge/bleu
    matin/soir lundi/vendredi quotidien/hebdomadaire annuel/mensuel manuel/automatique gratuit/payant
    obligatoire/facultatif actif/inactif active/inactive envoyer/recevoir envoie/reçoit ajouter/supprimer ajoute/supprime
    lire/écrire lecture/écriture expéditeur/destinataire visible/caché clair/sombre temporaire/permanent
    importer/exporter connecter/déconnecter installer/désinstaller accepte/refuse demande/réponse question/réponse
    entrant/sortant haut/bas début/fin premier/dernier long/court nouveau/ancien`,
  ar: `مفتوح/مغلق عام/خاص قبول/رفض مسموح/ممنوع وصول/مغادرة قديم/حديث هجوم/دفاع شراء/بيع سبب/نتيجة الأطفال/البالغين
    النهار/الليل سهل/صعب فارغ/ممتلئ دخول/خروج نجاح/فشل داخلي/خارجي الحد_الأقصى/الحد_الأدنى نفس/غير بسيط/معقد الصيف/الشتاء
    أحمر/أزرق الصباح/المساء الاثنين/الجمعة يومي/أسبوعي سنوي/شهري يدوي/تلقائي مجاني/مدفوع إلزامي/اختياري نشط/خامل
    إرسال/استقبال إضافة/حذف قراءة/كتابة المرسل/المستلم ظاهر/مخفي مؤقت/دائم استيراد/تصدير سؤال/جواب جديد/قديم كبير/صغير
    طويل/قصير قبل/بعد مع/بدون`,
}

/** Pairs of words that mean the same, as above; what a sentence says stays what it was. */
export const ALIKE = {
  en: `quickly/rapidly help/assist helped/assisted entire/whole purchase/buy select/choose frequently/often
    finished/completed large/sizeable huge/enormous required/needed obtain/get gave/provided shows/demonstrates
    main/principal area/region rapid/fast several/various argued/contended created/made famous/well-known
    usually/typically while/whereas called/named contains/holds caused/led_to used/employed people/persons
    about/roughly begin/start killed/slain said/stated`,
  es: `rápidamente/velozmente ayudar/asistir entero/completo comprar/adquirir terminado/finalizado necesario/requerido
    obtener/conseguir muestra/demuestra zona/región varios/diversos famoso/célebre normalmente/habitualmente
    llamado/denominado contiene/incluye usado/utilizado creado/hecho empezar/comenzar dijo/afirmó`,
  ru: `быстро/стремительно помочь/содействовать весь/целый нужно/необходимо получить/приобрести показывает/демонстрирует
    область/район несколько/ряд знаменитый/известный обычно/как_правило названный/именуемый использовать/применять
    начать/приступить сказал/заявил основной/главный огромный/громадный`,
  de: `schnell/rasch helfen/unterstützen ganze/gesamte kaufen/erwerben häufig/oft beendet/abgeschlossen nötig/erforderlich
    erhalten/bekommen zeigt/demonstriert Gebiet/Region mehrere/verschiedene berühmt/bekannt normalerweise/üblicherweise
    genannt/bezeichnet benutzt/verwendet verwendet/genutzt anfangen/beginnen sagte/erklärte wichtigsten/bedeutendsten`,
  tr: `hızla/süratle yardım/destek tüm/bütün gerekli/lazım elde/temin gösterir/ortaya_koyar bölge/yöre çeşitli/muhtelif
    ünlü/meşhur genellikle/çoğunlukla adlı/isimli kullanılan/yararlanılan önemli/mühim dedi/söyledi yıl/sene`,
  zh: `迅速/快速 帮助/协助 全部/所有 购买/买 经常/常常 完成/结束 需要/须要 获得/取得 显示/表明 地区/区域 著名/知名 通常/一般 称为/叫做
    使用/运用 开始/起初 主要/首要 因此/所以 由于/因为`,
  'zh-TW': `迅速/快速 幫助/協助 全部/所有 經常/常常 完成/結束 獲得/取得 顯示/表明 地區/區域 著名/知名 通常/一般 稱為/叫做 使用/運用
    主要/首要 因此/所以 由於/因為`,
  ja: `迅速/急速 援助/支援 全部/すべて 購入/買う しばしば/度々 完成/完了 獲得/取得 示す/表す 地域/地方 有名/著名 通常/普通
    使用/利用 主要/主な 開始/始まり`,
  fr: `rapidement/vite aider/assister entier/complet acheter/acquérir souvent/fréquemment terminé/achevé nécessaire/requis
    obtenir/recevoir montre/indique plusieurs/divers utiliser/employer commencer/débuter choisir/sélectionner
    modifier/changer supprimer/effacer`,
  ar: `بسرعة/سريعًا مساعدة/عون كامل/تام اختيار/انتقاء غالبًا/عادةً مطلوب/لازم عرض/إظهار استخدام/استعمال حذف/إزالة
    تعديل/تغيير`,
}

/** The pairs of a list that a half may see, read both ways. Who mends the product looks at `tune` alone. */
export function inPairs(list, half) {
  return list
    .trim()
    .split(/\s+/u)
    .map((pair) => pair.replaceAll('_', ' ').split('/'))
    .filter((pair) => half === 'all' || isTune(pair) === (half === 'tune'))
    .flatMap(([one, other]) => [
      [one, other],
      [other, one],
    ])
}

const isTune = (pair) =>
  createHash('sha256')
    .update(`pairs-v1:${[...pair].sort().join('/')}`)
    .digest()[0] < 128
