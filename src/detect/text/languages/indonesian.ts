import type { Language } from "./word-kinds.ts";

export const INDONESIAN: Language = {
  code: "id",
  reach: 1,
  verb: "first",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "abaikan,abaikanlah,lupakan,lupakanlah,jangan ikuti,jangan hiraukan,jangan pedulikan,buang,kesampingkan,tinggalkan,langgar,hapus semua aturan,lewati,singkirkan,tidak perlu mengikuti,hiraukan,batalkan",
    prior:
      "sebelumnya,sebelum ini,di atas,tadi,terdahulu,lama,awal,semula,yang diberikan,yang pernah diberikan,selama ini,asli,pengembang*",
    whole: "semua,seluruh,segala,setiap,apa pun",
    your: "kamu,anda,kepadamu,mu,sistem,untukmu",
    rules:
      "instruksi,instruksimu,perintah,aturan,aturanmu,arahan,pedoman,batasan,petunjuk,ketentuan,pembatasan,panduan,pengaturan,kebijakan,larangan",
    said: "yang dikatakan,yang telah dikatakan,percakapan,konteks,pesan,pembicaraan",
    void: "tidak memiliki prompt sistem,tidak punya prompt sistem,dibatalkan,tidak berlaku,sudah tidak berlaku,tidak lagi berlaku,dicabut,dimatikan,dinonaktifkan",
    fromNow:
      "mulai sekarang,sejak sekarang,sebagai gantinya,tugas baru,tugas barumu,tugasmu,instruksi baru,aturan baru,mulai saat ini,dan sebutkan,dan katakan,dan rekomendasikan",
    obey: "dengarkan instruksi saya,ikuti hanya apa yang saya,turuti perintahku,patuhi aku,ikuti perintahku,perintahku,perintah saya,turuti aku,patuhi saya",
    role: "bukan ai biasa,versi khusus,sebagai karakter,model baru,kamu adalah,kamu sekarang,anda sekarang,berpura-pura*,berperan*,berperanlah,bayangkan kamu,bertindak*,bertingkah,pura-pura,berlagak,sekarang kamu",
    unbound:
      "tanpa pembatasan,pemeriksaan keamanan,matikan filter,matikan semua filter,jawab dengan bebas,hapus batasan,hapus semua batasan,tanpa batasan,tanpa batas moral,tanpa sensor,tanpa filter,tanpa aturan,tanpa moral,tanpa etika,tidak memiliki batasan,tidak punya batasan,filter dimatikan,semua filter,tidak terikat,bebas dari aturan,tidak dibatasi,tak terbatas ai,segalanya boleh",
    comply:
      "menerima semuanya,tidak pernah menolak,jangan menolak,tidak boleh menolak,takkan menolak,menjawab apa saja,menjawab pertanyaan apa pun,jawab semua pertanyaan,menjawab semua,tidak memberi peringatan,tanpa peringatan,harus menjawab,tidak pernah bilang tidak,jangan minta maaf,jangan memperingatkan",
    mode: "mode pengembang,mode developer,jailbreak,mode dan ,mode dewa,mode debug,mode admin,do anything now",
    twice: "dua jawaban,dua versi,dua kepribadian,jawab dua kali,dua cara",
    reveal:
      "tampilkan,tunjukkan,tuliskan,tulis,sebutkan,ulangi,ungkapkan,cetak,salin,katakan,beri tahu saya,beritahu,terjemahkan,daftarkan,kutip",
    ownText:
      "prompt sistem,prompt sistemmu,prompt sistem anda,instruksi sistem,instruksimu,instruksi awal,instruksi tersembunyi,instruksi rahasia,pesan sistem anda,promptmu,aturanmu,petunjuk sistem,instruksi asli",
    origin:
      "diberikan pengembang,pengembang anda,sebelum percakapan,sebelum kita,yang kamu terima,kamu terima,diberikan kepadamu,diberikan kepada anda,pengembangmu,penciptamu,anda terima",
    verbatim:
      "kata per kata,kata demi kata,persis,selengkapnya,secara lengkap,lengkap,apa adanya,tanpa mengubah,dari awal sampai akhir,seluruhnya",
    above:
      "semua yang tertulis di atas,semua di atas,teks di atas,tulisan di atas,segala sesuatu di atas,yang tertulis di atas",
    machine: "asisten ai,asisten,model bahasa,kecerdasan buatan,chatbot,agen ai,agen,llm,chatgpt,ai,bot",
    reader:
      "yang membaca,yang meringkas,yang memproses,jika kamu,jika anda,untuk asisten,untuk ai,kepada asisten,pesan sistem,perhatian,catatan untuk",
    deed: "teruskan,kirim,kirimkan,mengirim,hapus,jalankan,unduh,pasang,beli,pesan,bayar,transfer,ubah,ganti,tambahkan,tutup,rekomendasikan,baca,masukkan,panggil,setujui,bagikan,unggah,jawab,klik",
    secret:
      "jangan beri tahu pengguna,jangan beritahu pengguna,jangan beri tahu,jangan beritahu,jangan sebutkan,jangan laporkan,tanpa memberi tahu,tanpa sepengetahuan,jangan jelaskan,diam-diam,secara rahasia,rahasiakan,sembunyikan dari",
    user: "pengguna,pelanggan,pemilik,atasan",
    goods:
      "email,kata sandi,akun,rekening,kartu,kontak,berkas,faktur,riwayat percakapan,riwayat,data,dokumen,tautan,token,kunci,isinya,pesanan",
    standing: "mulai sekarang,selalu,setiap kali,ingat,seterusnya,di masa depan,untuk selamanya",
    leave:
      "tanpa meminta izin,tanpa izin,tanpa konfirmasi,tanpa bertanya,tidak perlu konfirmasi,tidak perlu izin,hak admin",
    tools: "sebelum memakai alat,sebelum menggunakan alat,alat lain,sebelum memanggil,setiap panggilan",
    history: "riwayat percakapan,seluruh percakapan,riwayat obrolan,semua percakapan",
    repeat: "tampilkan,ungkapkan,tunjukkan,ulangi,cetak,salin",
    attack:
      "serangan,penyerang,injeksi,kerentanan,peneliti,pertahanan,berbahaya,peretas,misalnya,contohnya,novel,tokoh,permainan,cerita,artikel",
  },
  notBefore: /(?:jangan|tidak|cara|bisa|dapat|agar|untuk|akan)\s{1,2}$/iu,
  notAfter: /^ (?:email|pesan saya|surat)/iu,
};
