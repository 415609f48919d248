import type { Language } from "./word-kinds.ts";

export const VIETNAMESE: Language = {
  code: "vi",
  reach: 1,
  verb: "first",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "bỏ qua,hãy bỏ qua,phớt lờ,quên hết,quên đi,hãy quên,quên tất cả,quên mọi,không tuân theo,đừng tuân theo,đừng làm theo,gạt bỏ,vứt bỏ,hủy bỏ,bỏ hết,mặc kệ,lờ đi,không cần tuân,vượt qua mọi,xóa bỏ",
    prior:
      "trước đó,trước đây,ở trên,bên trên,phía trên,cũ,ban đầu,trước,đã được giao,được giao cho bạn,đã cho,hiện tại,nhà phát triển",
    whole: "tất cả,mọi,toàn bộ,hết,bất kỳ",
    your: "của bạn,cho bạn,hệ thống,bạn đã",
    rules:
      "hướng dẫn,chỉ dẫn,chỉ thị,quy tắc,mệnh lệnh,lệnh,giới hạn,hạn chế,quy định,nguyên tắc,lời nhắc,chính sách,thiết lập",
    said: "những gì đã nói,những gì được nói,cuộc trò chuyện,ngữ cảnh,những gì bạn được",
    void: "đã bị hủy,bị hủy bỏ,không còn hiệu lực,hết hiệu lực,vô hiệu,không còn áp dụng,đã tắt",
    fromNow:
      "từ giờ,từ bây giờ,từ nay,thay vào đó,nhiệm vụ mới,nhiệm vụ của bạn,hướng dẫn mới,quy tắc mới,và cho tôi,và nói,và chỉ",
    obey: "nghe lệnh của tôi,chỉ nghe,tuân lệnh tôi,nghe lời tôi,làm theo lời tôi,lệnh của tôi",
    role: "không phải ai bình thường,phiên bản đặc biệt,nhân vật trong truyện,từ bây giờ bạn là,bây giờ bạn là,đóng vai,giả vờ,hãy tưởng tượng bạn,hành động như,nhập vai,giả sử bạn là,bạn sẽ đóng,đưa ra hai câu",
    unbound:
      "tắt mọi bộ lọc,tắt bộ lọc,kiểm tra an toàn,trả lời tự do,gỡ bỏ mọi hạn chế,không có bất kỳ giới hạn,không có giới hạn,không giới hạn đạo đức,không bị giới hạn,không bị kiểm duyệt,không kiểm duyệt,không bị ràng buộc,không có đạo đức,hay đạo đức,không có bộ lọc,bộ lọc đã tắt,mọi bộ lọc,không có quy tắc,vô đạo đức,không có hạn chế,không bị hạn chế,phi đạo đức",
    comply:
      "không bao giờ từ chối,không được từ chối,không từ chối,trả lời mọi,trả lời mọi câu hỏi,trả lời tất cả,trả lời bất kỳ,phải trả lời,không cảnh báo,không bao giờ nói là không,đừng cảnh báo,không cần cảnh báo,không xin lỗi",
    mode: "chế độ nhà phát triển,bẻ khóa ai,jailbreak,chế độ dan,chế độ gỡ lỗi,chế độ quản trị,do anything now",
    twice: "hai câu trả lời,trả lời hai,hai phiên bản,hai nhân cách,hai cách",
    reveal:
      "in ra,hiển thị,cho tôi xem,cho biết,viết ra,lặp lại,nhắc lại,liệt kê,tiết lộ,sao chép,dịch,trích dẫn,nói cho tôi,xuất ra",
    ownText:
      "lời nhắc hệ thống,lệnh hệ thống,hướng dẫn hệ thống,thông báo hệ thống của bạn,chỉ dẫn của bạn,hướng dẫn của bạn,chỉ dẫn ban đầu,hướng dẫn ban đầu,hướng dẫn ẩn,chỉ thị ẩn,prompt hệ thống,quy tắc của bạn,chỉ thị nội bộ",
    origin:
      "nhà phát triển đã cho bạn,trước khi cuộc trò chuyện,trước khi chúng ta,bạn đã nhận được,bạn được giao,bạn được yêu cầu,nhà phát triển đã,người tạo ra bạn",
    verbatim: "nguyên văn,từng chữ,đầy đủ,chính xác từng,toàn văn,không bỏ sót,y nguyên,từ đầu đến cuối",
    above:
      "toàn bộ nội dung phía trên,mọi thứ ở trên,nội dung phía trên,văn bản ở trên,văn bản phía trên,tất cả nội dung ở trên",
    machine: "trợ lý ai,trợ lý,mô hình ngôn ngữ,trí tuệ nhân tạo,chatbot,tác nhân,llm,chatgpt,ai,bot",
    reader:
      "đang đọc,đọc thư này,nếu bạn là,gửi trợ lý,xử lý,tóm tắt biên bản,dành cho ai,thông báo hệ thống,lưu ý cho",
    deed: "chuyển tiếp,gửi,gửi tới,xóa,chạy,tải xuống,cài đặt,mua,đặt hàng,thanh toán,chuyển khoản,thay đổi,thêm,đóng,giới thiệu,đọc tệp,đưa,gọi,phê duyệt,chia sẻ,tải lên,trả lời,nhấp",
    secret:
      "đừng nói cho người dùng,không được cho người dùng biết,đừng cho người dùng,không cho người dùng biết,đừng nhắc,không nhắc đến,không thông báo,đừng thông báo,đừng giải thích,bí mật,âm thầm,không để người dùng,giấu người dùng,đừng nói với ai",
    user: "người dùng,khách hàng,chủ sở hữu",
    goods:
      "thư,email,mật khẩu,tài khoản,thẻ,danh bạ,tệp,hóa đơn,lịch sử trò chuyện,dữ liệu,tài liệu,liên kết,khóa,nội dung",
    standing: "từ nay,luôn,luôn luôn,mỗi lần,ghi nhớ,mãi mãi,trong tương lai",
    leave:
      "không cần hỏi,mà không hỏi,không cần xác nhận,không cần sự đồng ý,không cần cho phép,quyền quản trị",
    tools: "trước khi dùng công cụ,trước khi sử dụng công cụ,công cụ khác,trước khi gọi,mỗi lần gọi",
    history: "lịch sử trò chuyện,toàn bộ cuộc trò chuyện,lịch sử hội thoại,toàn bộ hội thoại",
    repeat: "hiển thị,tiết lộ,lặp lại,nhắc lại,in ra,sao chép",
    attack:
      "tấn công,kẻ tấn công,lỗ hổng,nhà nghiên cứu,phòng chống,độc hại,tin tặc,ví dụ,tiểu thuyết,nhân vật,trò chơi,bài viết,câu chuyện",
  },
  notBefore: /(?:đừng|không|không được|làm sao để|có thể|sẽ|cách)\s{1,2}$/iu,
  notAfter: /^ (?:mọi lời|email|thư|tin nhắn|lỗi|bước)/iu,
};
